/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.backlog;

import java.util.List;
import java.util.function.UnaryOperator;

import io.orderedoutbox.benchmark.backlog.Drain.Yardstick;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.scenario.Scenario;

/**
 * The drains of one instance with nothing beside them, in the order of the documentation.
 */
public final class DrainScenarios {

	private static final List<Scenario> ALL = List.of(
			new Drain("drain", "drain 100,000 messages, 1,000 keys", 100_000, 1_000, true, UnaryOperator.identity(),
					Yardstick.PIPELINED, Goal.atLeast(0.6)),
			new Drain("drain-many-keys", "drain 100,000 messages, 100,000 keys", 100_000, 100_000, true,
					UnaryOperator.identity(), Yardstick.PIPELINED, Goal.atLeast(0.6)),
			new Drain("hot-key", "drain 20,000 messages of one key", 20_000, 1, true, UnaryOperator.identity(),
					Yardstick.ONE_AT_A_TIME, Goal.atLeast(0.9)),
			new Drain("hot-key-pipelined", "drain 20,000 messages of one key, pipelined", 20_000, 1, true,
					(instance) -> instance.with("outbox.relay.pipelined-keys", true), Yardstick.PIPELINED,
					Goal.atLeast(0.6)),
			new Drain("unordered", "drain 100,000 messages, unordered", 100_000, 1_000, false, UnaryOperator.identity(),
					Yardstick.PIPELINED, Goal.atLeast(0.7)));

	private DrainScenarios() {
	}

	public static List<Scenario> all() {
		return ALL;
	}

}
