/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark;

import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.benchmark.backlog.DrainScenarios;
import io.orderedoutbox.benchmark.backlog.GrowingBacklog;
import io.orderedoutbox.benchmark.backlog.Instances;
import io.orderedoutbox.benchmark.backlog.OldSnapshot;
import io.orderedoutbox.benchmark.backlog.StalledBacklog;
import io.orderedoutbox.benchmark.backlog.UnroutableBacklog;
import io.orderedoutbox.benchmark.consume.Consuming;
import io.orderedoutbox.benchmark.idle.Idle;
import io.orderedoutbox.benchmark.latency.FrozenBroker;
import io.orderedoutbox.benchmark.latency.HotKeys;
import io.orderedoutbox.benchmark.latency.Steady;
import io.orderedoutbox.benchmark.publish.PublishSide;
import io.orderedoutbox.benchmark.scenario.Scenario;

/**
 * All scenarios, in the order of the documentation.
 */
final class Scenarios {

	private static final List<Scenario> ALL = Stream.concat(DrainScenarios.all().stream(),
			Stream.of(new Steady(), new HotKeys(), new Instances(), new PublishSide(), new Consuming(),
					new FrozenBroker(), new StalledBacklog(), new UnroutableBacklog(), new GrowingBacklog(),
					new OldSnapshot(), new Idle()))
		.toList();

	private Scenarios() {
	}

	static List<Scenario> all() {
		return ALL;
	}

}
