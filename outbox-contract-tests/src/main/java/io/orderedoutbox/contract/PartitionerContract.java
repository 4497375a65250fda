/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.orderedoutbox.store.Partitioner;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a {@link Partitioner} has to keep.
 */
public abstract class PartitionerContract {

	private static final int KEYS = 10_000;

	private static final int PARTITIONS = 64;

	private static final List<String> ODD = List.of(" ", "a", "A", "\u00e4", "a\u0308", "\uD83D\uDE80", "-1", "\t",
			"x".repeat(255));

	/**
	 * Return the partitioner.
	 * @return the partitioner, a new one for each call, as on another instance
	 */
	protected abstract Partitioner partitioner();

	/**
	 * Return a key of the application.
	 * @param number what the key differs in from others
	 * @return the key, the same for the same number
	 */
	protected String key(int number) {
		return "order-" + number;
	}

	/**
	 * Return how much larger than its share the largest partition of 10,000 keys in 64
	 * partitions may be.
	 * @return the factor
	 */
	protected double mostUneven() {
		return 2;
	}

	private Stream<String> keys() {
		return Stream.concat(IntStream.range(0, KEYS).mapToObj(this::key), ODD.stream());
	}

	@Test
	void eachKeyHasAPartitionThatExists() {
		Partitioner partitioner = partitioner();
		for (int partitions : new int[] { 1, 2, 3, PARTITIONS, 1024 }) {
			assertThat(keys().mapToInt((key) -> partitioner.partition(key, partitions)))
				.allMatch((partition) -> partition >= 0 && partition < partitions);
		}
	}

	@Test
	void theSameKeyHasTheSamePartitionOnEachInstanceAndAtAnyTime() {
		Partitioner one = partitioner();
		List<Integer> first = keys().map((key) -> one.partition(key, PARTITIONS)).toList();
		List<Integer> again = keys().map((key) -> one.partition(copy(key), PARTITIONS)).toList();
		assertThat(again).isEqualTo(first);
		Partitioner other = partitioner();
		List<Integer> elsewhere = keys().parallel().map((key) -> other.partition(copy(key), PARTITIONS)).toList();
		assertThat(elsewhere).isEqualTo(first);
	}

	@Test
	void theOrderInWhichKeysAreAskedForDoesNotMatter() {
		Partitioner partitioner = partitioner();
		int before = partitioner.partition(key(1), PARTITIONS);
		keys().forEach((key) -> partitioner.partition(key, PARTITIONS));
		assertThat(partitioner.partition(key(1), PARTITIONS)).isEqualTo(before);
		assertThat(partitioner().partition(key(1), PARTITIONS)).isEqualTo(before);
	}

	@Test
	void keysAreSpreadOverAllPartitions() {
		Partitioner partitioner = partitioner();
		Map<Integer, Long> sizes = IntStream.range(0, KEYS)
			.mapToObj((number) -> partitioner.partition(key(number), PARTITIONS))
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		assertThat(sizes).hasSize(PARTITIONS);
		assertThat(sizes.values()).allMatch((size) -> size.doubleValue() <= mostUneven() * KEYS / PARTITIONS);
	}

	// Not the same object, as in another process
	private static String copy(String key) {
		return String.valueOf(key.toCharArray());
	}

}
