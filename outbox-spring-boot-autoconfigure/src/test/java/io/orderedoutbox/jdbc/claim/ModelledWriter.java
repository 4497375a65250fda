/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.store.Delay;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writes messages, in transactions that commit at once and in one that commits later.
 */
final class ModelledWriter {

	private static final List<String> KEYS = List.of("a", "b", "c", "d", "e", "f", "");

	private static final int MOST = 30;

	private final TransactionTemplate transactions;

	private final OutboxStore store;

	private final ModelledKeys keys;

	private final long seed;

	private final boolean ordered;

	private final OwnedThread late = new OwnedThread();

	private @Nullable TransactionStatus open;

	private List<Message> openMessages = List.of();

	private Set<Integer> openPartitions = Set.of();

	private long number;

	ModelledWriter(SmallOutbox outbox, ModelledKeys keys, boolean ordered, long seed) {
		this.transactions = outbox.transaction();
		this.store = outbox.writing(ordered);
		this.keys = keys;
		this.ordered = ordered;
		this.seed = seed;
	}

	/**
	 * Commit some messages.
	 * @return the partitions to which they went
	 */
	Set<Integer> commit(Random random, List<String> steps) {
		List<Message> messages = messages(random);
		steps.add("commit " + brief(messages));
		Set<Integer> partitions = this.transactions.execute((status) -> this.store.append(messages));
		this.keys.committed(messages);
		return partitions;
	}

	/**
	 * Write some messages that are committed later.
	 */
	void begin(Random random, List<String> steps) {
		// One stripe at least must be free for messages that are bound to no order
		this.openMessages = messages(random, List.of(any(KEYS, random), any(KEYS, random)));
		steps.add("write " + brief(this.openMessages));
		this.late.call(() -> {
			this.open = this.transactions.getTransactionManager().getTransaction(TransactionDefinition.withDefaults());
			this.openPartitions = this.store.append(this.openMessages);
			return true;
		});
	}

	boolean isOpen() {
		return this.open != null;
	}

	/**
	 * Commit what was written, or roll it back.
	 */
	void end(boolean commit, List<String> steps) {
		steps.add((commit ? "commit late " : "roll back ") + brief(this.openMessages));
		this.late.call(() -> {
			if (commit) {
				this.transactions.getTransactionManager().commit(this.open);
			}
			else {
				this.transactions.getTransactionManager().rollback(this.open);
			}
			return true;
		});
		if (commit) {
			this.keys.committed(this.openMessages);
		}
		this.open = null;
		this.openPartitions = Set.of();
	}

	// To keys whose stripes are free
	private List<Message> messages(Random random) {
		return messages(random, KEYS.stream().filter(this::isFree).toList());
	}

	// Now and then many, and often many of one key
	private List<Message> messages(Random random, List<String> among) {
		int count = (random.nextInt(6) == 0) ? 1 + random.nextInt(MOST) : 1 + random.nextInt(4);
		String favourite = any(among, random);
		List<Message> messages = new ArrayList<>();
		for (int index = 0; index < count; index++) {
			messages.add(message(random.nextBoolean() ? favourite : any(among, random), random.nextInt(200)));
		}
		return messages;
	}

	private static String any(List<String> keys, Random random) {
		return keys.get(random.nextInt(keys.size()));
	}

	private boolean isFree(String key) {
		return !this.ordered || key.isEmpty() || !this.openPartitions.contains(SmallOutbox.PARTITIONS.of(key));
	}

	private Message message(String key, int size) {
		// One of many waits until an operator releases it
		Delay delay = (size % 10 == 0) ? Delay.of(Duration.ofHours(1)) : Delay.NONE;
		return new Message(new UUID(this.seed, this.number++), "order.placed", key, new Destination("", "nowhere"),
				"text/plain", new byte[size], Map.of(), delay);
	}

	private static List<String> brief(List<Message> messages) {
		return messages.stream()
			.map((message) -> message.partitionKey() + "=" + ModelledKeys.brief(message.messageId())
					+ (message.delay().isNone() ? "" : " (delayed)"))
			.toList();
	}

	void close() {
		if (this.open != null) {
			end(false, new ArrayList<>());
		}
		this.late.end();
	}

}
