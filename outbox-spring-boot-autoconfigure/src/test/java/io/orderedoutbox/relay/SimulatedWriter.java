/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import io.orderedoutbox.Destination;
import io.orderedoutbox.jdbc.claim.SmallOutbox;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;

/**
 * Writes messages in transactions that stay open for a while, and commits most of them.
 * Its keys are those of partitions that no other writer has: a writer would wait for the
 * other on a lock, and the schedule for both.
 */
final class SimulatedWriter {

	private static final int MOST = 40;

	private final int number;

	private final Schedule schedule;

	private final Random random;

	private final SmallOutbox outbox;

	private final OutboxStore store;

	private final SimulatedOrder order;

	private final List<String> keys;

	private int written;

	SimulatedWriter(int number, int writers, Schedule schedule, Random random, SmallOutbox outbox,
			SimulatedOrder order) {
		this.number = number;
		this.schedule = schedule;
		this.random = random;
		this.outbox = outbox;
		this.store = outbox.writing(true);
		this.order = order;
		this.keys = new ArrayList<>(List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"));
		this.keys.removeIf((key) -> SmallOutbox.PARTITIONS.of(key) % writers != number);
	}

	/**
	 * Write so many transactions.
	 * @param told hears of the partitions with something new
	 */
	void work(int transactions, Consumer<Set<Integer>> told) {
		for (int count = 0; count < transactions; count++) {
			this.schedule.sleep(Duration.ofMillis(this.random.nextInt(100)));
			List<Message> messages = messages();
			boolean isCommitted = this.random.nextInt(8) > 0;
			Set<Integer> partitions = this.outbox.transaction().execute((status) -> {
				Set<Integer> appended = this.store.append(messages);
				// A message without a key may have taken a partition of the other writer
				if (messages.stream().noneMatch((message) -> message.partitionKey().isEmpty())) {
					this.schedule.sleep(Duration.ofMillis(this.random.nextInt(20)));
				}
				if (!isCommitted) {
					status.setRollbackOnly();
				}
				return appended;
			});
			if (isCommitted) {
				this.order.committed(messages);
				told.accept(partitions);
			}
		}
	}

	// Now and then many, and often many of one key
	private List<Message> messages() {
		int count = 1 + this.random.nextInt((this.random.nextInt(6) == 0) ? MOST : 5);
		String favourite = key();
		List<Message> messages = new ArrayList<>();
		for (int index = 0; index < count; index++) {
			messages.add(message(this.random.nextBoolean() ? favourite : key(), this.random.nextInt(200)));
		}
		return messages;
	}

	private String key() {
		return (this.random.nextInt(8) == 0) ? "" : this.keys.get(this.random.nextInt(this.keys.size()));
	}

	private Message message(String key, int size) {
		return new Message(new UUID(this.number, this.number + 2L * this.written++), "order.placed", key,
				new Destination("", "queue-" + key), "text/plain", new byte[size], Map.of());
	}

}
