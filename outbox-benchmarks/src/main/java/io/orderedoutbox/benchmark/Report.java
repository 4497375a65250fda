/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.benchmark.figure.Figure.Limit;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.servers.Servers;
import tools.jackson.databind.json.JsonMapper;

/**
 * What was measured: as a table for eyes and documents, as JSON, and as a chart.
 *
 * @param bench with what it was measured
 * @param figures what was found
 */
record Report(Bench bench, List<Figure> figures) {

	void write(Path directory) throws IOException {
		Files.createDirectories(directory);
		Files.writeString(directory.resolve("results.json"), json());
		Files.writeString(directory.resolve("results.svg"), new Chart(this.figures).svg());
	}

	/**
	 * A table in Markdown.
	 */
	String table() {
		StringBuilder table = new StringBuilder(
				"| scenario | figure | measured | limit | ratio | must be |\n|---|---|--:|--:|--:|---|\n");
		for (Figure figure : this.figures) {
			Limit limit = figure.limit();
			table.append("| %s | %s | %s %s | %s | %s | %s |%n".formatted(figure.scenario(), figure.what(),
					Figure.text(figure.value()), figure.unit(),
					(limit != null) ? Figure.text(limit.value()) + " " + limit.what() : "",
					(limit != null) ? Figure.text(figure.judged()) : "",
					(figure.goal() != null) ? figure.goal() + (figure.isReached() ? "" : " MISSED") : ""));
		}
		return table.toString();
	}

	private String json() {
		Map<String, Object> document = new LinkedHashMap<>();
		document.put("database", Servers.database().version());
		document.put("broker", Servers.broker().version());
		document.put("java", System.getProperty("java.version"));
		document.put("processors", Runtime.getRuntime().availableProcessors());
		document.put("bench", this.bench);
		document.put("figures", this.figures);
		return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(document);
	}

}
