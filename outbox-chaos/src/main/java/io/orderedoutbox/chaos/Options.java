/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.chaos.server.DatabaseKind;

/**
 * What the suite is told on the command line.
 *
 * @param runs the runs to make, one after the other
 * @param scenarios whether to play the timed scenarios, after the runs
 * @param privateServers whether to run on servers of the suite's own, which is what most
 * faults need
 * @param database what the private database is
 * @param reports where to leave the reports
 */
record Options(List<ChaosSettings> runs, boolean scenarios, boolean privateServers, DatabaseKind database,
		Path reports) {

	/**
	 * Read the command line.
	 * @throws picocli.CommandLine.ParameterException if it cannot be understood
	 * @throws IllegalArgumentException if its words contradict each other
	 */
	static Options of(String... words) {
		return of(Arguments.of(words));
	}

	static Options of(Arguments arguments) {
		DatabaseKind database = arguments.database();
		boolean privateServers = !arguments.sharedServers;
		if (arguments.consumed) {
			return new Options(List.of(arguments.consuming()), false, privateServers, database, arguments.reports);
		}
		boolean canPlay = database != DatabaseKind.POSTGRESQL;
		if (arguments.scenarios && !canPlay) {
			throw new IllegalArgumentException(
					"The timed scenarios fill the tables with words of MySQL: leave --scenarios out, or --database postgresql");
		}
		List<ChaosSettings> runs = new ArrayList<>();
		if (arguments.isSingle()) {
			runs.add(arguments.single());
		}
		if (arguments.longForm) {
			runs.addAll(longForm(arguments.seed));
		}
		if (arguments.shortForm || (runs.isEmpty() && !arguments.scenarios)) {
			runs.addAll(shortForm(arguments.seed));
		}
		return new Options(List.copyOf(runs), arguments.scenarios || (arguments.longForm && canPlay), privateServers,
				database, arguments.reports);
	}

	private static List<ChaosSettings> shortForm(long seed) {
		Duration bound = Duration.ofMinutes(6);
		return List.of(new ChaosSettings(seed, 16_000, 20, true, "classic", ChaosSettings.KEYS, Set.of(), bound, false),
				new ChaosSettings(seed + 1, 6_000, 8, false, "quorum", ChaosSettings.KEYS, Set.of(), bound, false));
	}

	private static List<ChaosSettings> longForm(long seed) {
		Duration bound = Duration.ofMinutes(60);
		List<ChaosSettings> runs = new ArrayList<>();
		runs.add(new ChaosSettings(seed, 400_000, 200, true, "classic", ChaosSettings.KEYS, Set.of(), bound, false));
		runs.add(new ChaosSettings(seed + 1, 300_000, 150, true, "quorum", ChaosSettings.KEYS, Set.of(), bound, false));
		runs.add(
				new ChaosSettings(seed + 2, 150_000, 75, false, "classic", ChaosSettings.KEYS, Set.of(), bound, false));
		runs.add(new ChaosSettings(seed + 3, 150_000, 75, false, "quorum", ChaosSettings.KEYS, Set.of(), bound, false));
		return List.copyOf(runs);
	}

}
