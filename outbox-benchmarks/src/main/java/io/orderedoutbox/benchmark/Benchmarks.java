/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.scenario.Scenario;
import io.orderedoutbox.servers.Servers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ParameterException;

/**
 * Measures scenarios and reports what was found. Ends with 0 if every goal was reached,
 * with 1 if not, with 2 if it was called wrongly, and with 3 if something could not be
 * measured.
 */
public final class Benchmarks {

	private static final Logger logger = LoggerFactory.getLogger(Benchmarks.class);

	private Benchmarks() {
	}

	/**
	 * Run the benchmarks.
	 * @param arguments see {@code --help}
	 */
	public static void main(String[] arguments) {
		int status = 3;
		try {
			status = run(arguments);
		}
		catch (Exception ex) {
			logger.error("A scenario could not be measured", ex);
		}
		finally {
			// Embedded servers would keep the JVM alive
			System.exit(status);
		}
	}

	static int run(String... arguments) throws Exception {
		Options options;
		try {
			options = Options.of(arguments);
		}
		catch (ParameterException ex) {
			System.err.println(ex.getMessage() + "\n\n" + Options.usage());
			return 2;
		}
		if (options.isHelp()) {
			System.out.println(Options.usage());
			return 0;
		}
		List<Figure> figures = new ArrayList<>();
		Report report = new Report(options.bench(), figures);
		for (Scenario scenario : measurable(options.scenarios())) {
			System.out.printf("%n%s: %s%n", scenario.name(), scenario.title());
			figures.addAll(scenario.measure(options.bench()));
			// What was found is not lost if the next one fails
			report.write(options.reports());
		}
		if (options.bench().scale() != 1) {
			System.out.printf(
					"%nScaled by %s: there are not as many messages as it says, and the figures do not count.%n",
					options.bench().scale());
		}
		System.out.printf("%n%s%n%s%n", report.table(), options.reports().toAbsolutePath());
		return figures.stream().allMatch(Figure::isReached) ? 0 : 1;
	}

	private static List<Scenario> measurable(List<Scenario> scenarios) {
		if (!Servers.database().isPostgreSql()) {
			return scenarios;
		}
		return scenarios.stream().filter((scenario) -> {
			if (!scenario.isForAnyDatabase()) {
				System.out.printf("%s is left out: it is written with words of MySQL%n", scenario.name());
			}
			return scenario.isForAnyDatabase();
		}).toList();
	}

}
