/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.orderedoutbox.chaos.scenario.Arrivals.Watch;
import io.orderedoutbox.chaos.time.Waiting;

/**
 * Two outboxes, one of them with a stalled key that has a great many messages behind it
 * and with delayed messages without a key: how fast do all the others leave?
 */
final class Ballast {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int BEHIND_STALLED = 100_000;

	private static final int DELAYED = 10_000;

	private static final int MESSAGES = 30_000;

	private static final int KEYS = 1_000;

	private static final int ROUNDS = 7;

	private Ballast() {
	}

	static List<Figure> measure(Stage with, Stage without) {
		with.startRelay("a", Map.of());
		without.startRelay("a", Map.of());
		with.backlog().addStalled(BEHIND_STALLED);
		with.backlog().addDelayedKeyless(DELAYED);
		drain(with); // the first round of a JVM is slow
		drain(without);
		List<Double> rateWith = new ArrayList<>();
		List<Double> rateWithout = new ArrayList<>();
		for (int round = 0; round < ROUNDS; round++) {
			rateWith.add(drain(with));
			rateWithout.add(drain(without));
		}
		double ratio = median(rateWith) / median(rateWithout);
		String value = String.format(Locale.ROOT, "%.1f %% (medians of %d rounds: %.0f/s with, %.0f/s without)",
				100 * (1 - ratio), ROUNDS, median(rateWith), median(rateWithout));
		return List.of(
				new Figure(
						"a stalled key with %,d messages behind it and %,d delayed ones lower the others' throughput by"
							.formatted(BEHIND_STALLED, DELAYED),
						value, "less than 10 %", ratio > 0.9),
				Figure.none("messages overtaken meanwhile", with.arrivals().gaps() + without.arrivals().gaps()));
	}

	// From the first arrival to the last: when an idle relay looks is a matter of chance
	private static double drain(Stage stage) {
		long before = stage.backlog().number();
		Watch first = stage.arrivals().watch((message) -> message.number() > before);
		long expected = stage.arrivals().different() + MESSAGES;
		long last = stage.backlog().add("other", KEYS, MESSAGES);
		long begin = first.await(PATIENCE).time();
		Waiting.until("all have arrived up to " + last, PATIENCE, () -> stage.arrivals().different() >= expected);
		return MESSAGES / ((System.nanoTime() - begin) / 1e9);
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
	}

}
