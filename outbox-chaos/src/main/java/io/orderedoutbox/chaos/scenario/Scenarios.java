/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.chaos.server.ControlledServers;

/**
 * All scenarios, one after the other.
 */
public final class Scenarios {

	private Scenarios() {
	}

	/**
	 * Play the scenarios.
	 * @param servers what they break
	 * @param directory where their processes keep their files
	 * @return what was measured
	 * @throws Exception if it could not be measured
	 */
	public static List<Figure> play(ControlledServers servers, Path directory) throws Exception {
		List<Figure> figures = new ArrayList<>();
		figures.addAll(play(servers, directory, "crash", Interruption.crash()));
		figures.addAll(play(servers, directory, "lost_connections", Interruption.lostConnections()));
		figures.addAll(play(servers, directory, "take_over", new TakeOver()));
		figures.addAll(play(servers, directory, "broker_outage", new BrokerOutage()));
		figures.addAll(play(servers, directory, "ballast", (with) -> {
			try (Stage without = new Stage(servers, directory, "no_ballast")) {
				return Ballast.measure(with, without);
			}
		}));
		return figures;
	}

	private static List<Figure> play(ControlledServers servers, Path directory, String name, Scenario scenario)
			throws Exception {
		try (Stage stage = new Stage(servers, directory, name)) {
			List<Figure> figures = new ArrayList<>(scenario.measure(stage));
			List<String> misdeeds = stage.misdeeds();
			figures.add(Figure.none("errors logged by relays " + misdeeds, misdeeds.size()));
			return figures;
		}
	}

}
