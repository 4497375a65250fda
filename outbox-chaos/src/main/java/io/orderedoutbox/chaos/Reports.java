/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import io.orderedoutbox.chaos.scenario.Figure;
import tools.jackson.databind.json.JsonMapper;

/**
 * The reports of all runs, for machines and for the documentation.
 */
final class Reports {

	private final List<ChaosReport> runs = new ArrayList<>();

	private final List<Figure> scenarios = new ArrayList<>();

	void add(ChaosReport run) {
		this.runs.add(run);
	}

	void addAll(List<Figure> figures) {
		this.scenarios.addAll(figures);
	}

	/**
	 * Whether no promise was broken.
	 */
	boolean areClean() {
		return this.runs.stream().allMatch(ChaosReport::isClean) && this.scenarios.stream().allMatch(Figure::kept);
	}

	void write(Path directory) throws IOException {
		Files.createDirectories(directory);
		Files.writeString(directory.resolve("report.json"), json());
		Files.writeString(directory.resolve("report.md"), markdown());
	}

	private String json() {
		return JsonMapper.shared()
			.writerWithDefaultPrettyPrinter()
			.writeValueAsString(
					Map.of("runs", this.runs.stream().map(Reports::values).toList(), "scenarios", this.scenarios));
	}

	private static Map<String, Object> values(ChaosReport run) {
		Map<String, Object> values = new LinkedHashMap<>();
		values.put("run", run.settings().toString());
		values.put("seed", run.settings().seed());
		values.put("clean", run.isClean());
		values.putAll(run.figures());
		values.put("faults by kind", run.faultsByKind());
		values.put("violations", run.findings().examples());
		return values;
	}

	/**
	 * A column for each run, and a row for each scenario.
	 */
	private String markdown() {
		StringBuilder table = new StringBuilder();
		if (!this.runs.isEmpty()) {
			writeRuns(table);
		}
		if (!this.scenarios.isEmpty()) {
			table.append("\n| scenario | measured | must be |\n|---|---|---|\n");
			this.scenarios.forEach((figure) -> table
				.append("| %s | %s | %s |\n".formatted(figure.what(), figure.value(), figure.limit())));
		}
		return table.toString();
	}

	private void writeRuns(StringBuilder table) {
		row(table, "", (run) -> run.settings().toString());
		table.append("|---|").append("--:|".repeat(this.runs.size())).append('\n');
		for (String figure : this.runs.get(0).figures().keySet()) {
			row(table, figure, (run) -> String.valueOf(run.figures().get(figure)));
		}
		Set<String> kinds = new TreeSet<>();
		this.runs.forEach((run) -> kinds.addAll(run.faultsByKind().keySet()));
		for (String kind : kinds) {
			row(table, "fault: " + kind, (run) -> String.valueOf(run.faultsByKind().getOrDefault(kind, 0)));
		}
	}

	private void row(StringBuilder table, String name, Function<ChaosReport, String> cell) {
		table.append("| ").append(name);
		this.runs.forEach((run) -> table.append(" | ").append(cell.apply(run)));
		table.append(" |\n");
	}

}
