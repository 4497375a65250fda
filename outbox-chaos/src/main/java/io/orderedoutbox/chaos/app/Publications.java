/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.PartitionKeyStamp;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What is published. The transactions of every third key share a lock of their own, a row
 * with the number of messages; those of the rest share nothing but the outbox.
 */
final class Publications {

	private static final int VARIANTS = 3;

	private static final String REMARK = "something that makes the message as long as messages are; ".repeat(4);

	private final JdbcClient jdbc;

	private final ApplicationEventPublisher events;

	private final Outbox outbox;

	Publications(JdbcClient jdbc, ApplicationEventPublisher events, Outbox outbox) {
		this.jdbc = jdbc;
		this.events = events;
		this.outbox = outbox;
	}

	// Keys that only a binary collation without padding tells apart
	private static String key(int number) {
		String word = "key-" + number / VARIANTS;
		return switch (number % VARIANTS) {
			case 0 -> word;
			case 1 -> word + " ";
			default -> word.toUpperCase(Locale.ROOT);
		};
	}

	private static boolean isCounted(int number) {
		return number % VARIANTS == 0;
	}

	/**
	 * Count what is about to be published of the keys that are counted, and lock them.
	 * @return the first version of each
	 */
	Map<Integer, Long> nextVersions(List<Integer> keys) {
		Map<Integer, Integer> counts = new TreeMap<>();
		keys.stream().filter(Publications::isCounted).forEach((key) -> counts.merge(key, 1, Integer::sum));
		Map<Integer, Long> versions = new HashMap<>();
		counts.forEach((key, count) -> versions.put(key, count(key, count) - count + 1));
		return versions;
	}

	private long count(int key, int count) {
		this.jdbc.sql("UPDATE chaos_counter SET version = version + ? WHERE id = ?").params(count, key).update();
		return this.jdbc.sql("SELECT version FROM chaos_counter WHERE id = ?").param(key).query(Long.class).single();
	}

	void publish(int number, Map<Integer, Long> versions, Random random) {
		long version = 0;
		if (isCounted(number)) {
			version = versions.merge(number, 1L, Long::sum) - 1;
		}
		boolean flaky = random.nextInt(5) == 0;
		Object event = flaky ? new Flaky(key(number), version, REMARK) : new Steady(key(number), version, REMARK);
		if (!isCounted(number) && random.nextInt(5) == 0) {
			this.outbox.publish(event, PartitionKeyStamp.none());
		}
		else {
			this.events.publishEvent(event);
		}
	}

}
