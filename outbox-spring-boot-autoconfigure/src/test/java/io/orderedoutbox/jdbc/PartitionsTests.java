/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Partitions}: from a partition key to the number of its partition.
 */
class PartitionsTests {

	@Tag("unit")
	@Test
	void keysAreSpreadOverAllPartitions() {
		Partitions partitions = new Partitions();
		Set<Integer> used = IntStream.range(0, 3000)
			.mapToObj((key) -> partitions.of("key " + key))
			.collect(Collectors.toSet());
		assertThat(used).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 64).boxed().toList());
	}

	// A change of these loses the order of all keys that have messages in an outbox
	@Tag("unit")
	@Test
	void partitionOfAKeyNeverChanges() {
		Partitions partitions = new Partitions();
		assertThat(List.of(partitions.of("a"), partitions.of("A"), partitions.of("ä"), partitions.of("😀")))
			.containsExactly(3, 11, 3, 4);
	}

	@Test
	void writersInOtherLanguagesComputeTheSamePartitionInSql() {
		JdbcClient jdbc = client(Servers.database());
		Partitions partitions = new Partitions();
		for (String key : keys()) {
			long partition = jdbc.sql("SELECT CRC32(CONVERT(? USING utf8mb4)) % 64")
				.param(key.getBytes(StandardCharsets.UTF_8))
				.query(Long.class)
				.single();
			assertThat(partitions.of(key)).as(key).isEqualTo((int) partition);
		}
	}

	@Tag("unit")
	@ParameterizedTest
	@ValueSource(ints = { Integer.MIN_VALUE, -1, 64, Integer.MAX_VALUE })
	void aPartitionerThatLeavesTheRangeIsRefused(int partition) {
		Partitions partitions = new Partitions(64, (key, count) -> partition);
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> partitions.of("order 7"))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).isEqualTo(
						"The Partitioner returned partition %d for key 'order 7', but there are partitions 0 to 63."
							.formatted(partition));
				assertThat(ex.getRemedy()).isEqualTo("Correct the Partitioner bean.");
			});
	}

	@Tag("unit")
	@Test
	void aPartitionerIsToldHowManyPartitionsThereAre() {
		Partitions partitions = new Partitions(17, (key, count) -> count - 1);
		assertThat(partitions.of("a")).isEqualTo(16);
	}

	@Tag("unit")
	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 1001 })
	void aNumberThatNoOutboxCanHaveIsRefused(int count) {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new Partitions(count, Partitions::crc32))
			.satisfies((ex) -> assertThat(ex.getDescription())
				.isEqualTo("'outbox.partitions' must be between 1 and 1000, but is %d.".formatted(count)));
	}

	static List<String> keys() {
		List<String> keys = new ArrayList<>(Arrays.asList("a", "A", "a ", " a", " ", "\t", "\u00a0", "\u200b", "\ufeff",
				"ä", "a\u0308", "ß", "😀", "👩‍👩‍👧", "нет", "\u0000", "'", "\\", "x".repeat(255), "😀".repeat(255)));
		if (Servers.database().isPostgreSql()) {
			// No text of PostgreSQL has it
			keys.remove("\u0000");
		}
		for (int i = 0; i < 50; i++) {
			keys.add(UUID.nameUUIDFromBytes(new byte[] { (byte) i }).toString());
		}
		return keys;
	}

	private static JdbcClient client(Database database) {
		return JdbcClient
			.create(new DriverManagerDataSource(database.jdbcUrl(), database.username(), database.password()));
	}

}
