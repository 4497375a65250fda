/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.List;
import java.util.stream.IntStream;

import io.orderedoutbox.jdbc.Partitions;

/**
 * Partition keys that belong to a given partition.
 */
final class Keys {

	private static final Partitions PARTITIONS = new Partitions();

	private Keys() {
	}

	static List<String> in(int partition, int count) {
		return IntStream.iterate(0, (number) -> number + 1)
			.mapToObj((number) -> "p" + partition + "-" + number)
			.filter((key) -> PARTITIONS.of(key) == partition)
			.limit(count)
			.toList();
	}

	static String in(int partition) {
		return in(partition, 1).get(0);
	}

}
