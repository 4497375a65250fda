/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;
import io.orderedoutbox.benchmark.scenario.Tuning;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine;

/**
 * What the benchmarks are told on the command line.
 */
@Command(name = "benchmark", sortOptions = false, customSynopsis = "benchmark [scenario...] [option...]",
		optionListHeading = "Options:%n",
		footer = {
				"  --database postgresql    on PostgreSQL, if the environment names one (scripts/services); only some scenarios",
				"Or: benchmark --jmh [pattern] [option of JMH...] for micro-benchmarks; see scripts/benchmark" })
final class Options {

	private static final int WIDTH = 140;

	@Parameters(hidden = true, arity = "0..*", paramLabel = "scenario", converter = ByName.class)
	private List<Scenario> scenarios = List.of();

	@Option(names = "--rounds", paramLabel = "<n>", defaultValue = "3",
			description = "how often each is measured; figures are medians [${DEFAULT-VALUE}]")
	private int rounds;

	@Option(names = "--payload", paramLabel = "<n>", defaultValue = "400",
			description = "size of a payload in bytes, from 100 to 1,000,000 [${DEFAULT-VALUE}]")
	private int payload;

	@Option(names = "--queue", paramLabel = "<type>", defaultValue = "classic",
			description = "type of the queues: classic or quorum [${DEFAULT-VALUE}]")
	private String queue = "";

	@Option(names = "--scale", paramLabel = "<x>", defaultValue = "1",
			description = "multiplies the numbers of messages; figures count at 1 [${DEFAULT-VALUE}]")
	private double scale;

	@Option(names = "--property", paramLabel = "<name=value>",
			description = "a property of the measured instances that differs from its default; can be repeated")
	private Map<String, String> properties = new LinkedHashMap<>();

	@Option(names = "--driver", paramLabel = "<name=value>",
			description = "an option of their JDBC driver; can be repeated")
	private Map<String, String> driver = new LinkedHashMap<>();

	@Option(names = "--reports", paramLabel = "<path>", defaultValue = "target/benchmarks",
			description = "where to leave results.json and results.svg [./${DEFAULT-VALUE}]")
	private Path reports = Path.of("");

	@Option(names = "--help", usageHelp = true, description = "this text")
	private boolean help;

	/**
	 * Read the command line.
	 * @throws ParameterException if it cannot be understood, with a message for the user
	 */
	static Options of(String... arguments) {
		Options options = new Options();
		// The script says where the reports go, and its caller may say it again
		CommandLine line = new CommandLine(options).setOverwrittenOptionsAllowed(true);
		line.parseArgs(arguments);
		options.check(line);
		return options;
	}

	private void check(CommandLine line) {
		require(line, this.rounds >= 1 && this.rounds <= 100, "--rounds must be between 1 and 100");
		require(line, this.payload >= 100 && this.payload <= 1_000_000, "--payload must be between 100 and 1,000,000");
		require(line, Set.of("classic", "quorum").contains(this.queue), "--queue must be classic or quorum");
		require(line, this.scale > 0 && this.scale <= 100, "--scale must be above 0 and at most 100");
		require(line, !this.properties.containsKey(""), "--property must be name=value");
		require(line, !this.driver.containsKey(""), "--driver must be name=value");
	}

	private static void require(CommandLine line, boolean condition, String message) {
		if (!condition) {
			throw new ParameterException(line, message);
		}
	}

	/**
	 * The scenarios to measure, in the order of the command line; all, if it names none.
	 */
	List<Scenario> scenarios() {
		return this.scenarios.isEmpty() ? Scenarios.all() : this.scenarios;
	}

	/**
	 * What to measure them with.
	 */
	Bench bench() {
		return new Bench(this.rounds, this.payload, this.queue, this.scale, new Tuning(this.properties, this.driver));
	}

	/**
	 * Where to leave the reports.
	 */
	Path reports() {
		return this.reports;
	}

	/**
	 * Whether only the usage is asked for.
	 */
	boolean isHelp() {
		return this.help;
	}

	static String usage() {
		CommandLine line = new CommandLine(new Options()).setUsageHelpWidth(WIDTH);
		line.getCommandSpec()
			.usageMessage()
			.descriptionHeading("Without a scenario all are measured, one after the other:%n")
			.description(Scenarios.all()
				.stream()
				.map((one) -> "  %-17s %s".formatted(one.name(), one.title()).replace("%", "%%"))
				.toArray(String[]::new));
		return line.getUsageMessage(Ansi.OFF);
	}

	/**
	 * Finds a scenario by its name.
	 */
	static final class ByName implements ITypeConverter<Scenario> {

		@Override
		public Scenario convert(String name) {
			return Scenarios.all()
				.stream()
				.filter((scenario) -> scenario.name().equals(name))
				.findFirst()
				.orElseThrow(() -> new TypeConversionException("There is no scenario " + name));
		}

	}

}
