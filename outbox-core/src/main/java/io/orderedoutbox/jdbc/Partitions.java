/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.CRC32;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.store.Partitioner;

/**
 * The partitions of the outbox. Their number is part of the schema: as many rows as there
 * are in {@code outbox_partition} and in {@code outbox_stripe}.
 *
 * @param count how many there are, from 1 to {@value #MAX_COUNT}
 * @param partitioner decides to which of them a key belongs
 */
public record Partitions(int count, Partitioner partitioner) {

	/**
	 * How many partitions the script of the schema creates.
	 */
	public static final int DEFAULT_COUNT = 64;

	static final int MAX_COUNT = 1000;

	/**
	 * Create partitions.
	 */
	public Partitions {
		requireCount(count);
	}

	static void requireCount(int count) {
		if (count < 1 || count > MAX_COUNT) {
			throw new OutboxConfigurationException(
					"'outbox.partitions' must be between 1 and %d, but is %d.".formatted(MAX_COUNT, count),
					"Correct it. It has to be the number of rows in the tables of partitions and stripes.");
		}
	}

	/**
	 * The partitions that the script creates, with the default partitioner.
	 */
	public Partitions() {
		this(DEFAULT_COUNT, Partitions::crc32);
	}

	/**
	 * Return the partition of a key.
	 * @param partitionKey the key, not empty
	 * @return its partition
	 */
	public int of(String partitionKey) {
		int partition = this.partitioner.partition(partitionKey, this.count);
		if (partition < 0 || partition >= this.count) {
			throw new OutboxConfigurationException(
					"The Partitioner returned partition %d for key '%s', but there are partitions 0 to %d."
						.formatted(partition, partitionKey, this.count - 1),
					"Correct the Partitioner bean.");
		}
		return partition;
	}

	/**
	 * Return the partition of a message, as consumers and routing strategies see it. A
	 * message without a key has that of its id: always the same, and evenly spread.
	 * @param partitionKey the key, which may be empty
	 * @param messageId the id
	 * @return the partition
	 */
	public int of(String partitionKey, UUID messageId) {
		return partitionKey.isEmpty() ? crc32(messageId.toString(), this.count) : of(partitionKey);
	}

	/**
	 * The default partitioner. Writers in other languages can compute the same:
	 * {@code CRC32(partition_key) % partitions} in SQL, over UTF-8.
	 * @param partitionKey the key
	 * @param partitions how many partitions there are
	 * @return the partition
	 */
	public static int crc32(String partitionKey, int partitions) {
		return (int) (hash(partitionKey) % partitions);
	}

	/**
	 * Return what stands for a key in the index of parked keys.
	 * @param partitionKey the key
	 * @return its CRC32, over UTF-8
	 */
	public static long hash(String partitionKey) {
		CRC32 crc = new CRC32();
		crc.update(partitionKey.getBytes(StandardCharsets.UTF_8));
		return crc.getValue();
	}

}
