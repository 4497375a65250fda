/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.time.Duration;
import java.util.Set;

/**
 * What a run is like.
 *
 * @param seed decides everything that threads, processes and servers leave open
 * @param messages how many messages are committed, at least
 * @param faults how many faults happen, at least
 * @param ordered whether the outbox keeps the order of each key
 * @param queueType the type of the queue: classic or quorum, or kafka for a topic
 * @param keys over how many keys the messages are spread
 * @param only the kinds of faults that happen, empty for all
 * @param timeBound how long everything may take
 * @param consumed whether consumers process the messages, and not only a recorder takes
 * them
 */
record ChaosSettings(long seed, int messages, int faults, boolean ordered, String queueType, int keys, Set<String> only,
		Duration timeBound, boolean consumed) {

	static final String KAFKA = "kafka";

	static final int RELAYS = 3;

	static final int WORKERS = 2;

	static final int WRITERS = 2;

	static final int CONSUMERS = 3;

	static final int SHARDS = 12;

	static final int THREADS = 4;

	static final int KEYS = 300;

	static final int BATCH_SIZE = 100;

	// A batch may be of one key, and what is tried again comes on top of it
	static final int LONGEST_RUN = BATCH_SIZE + BATCH_SIZE / 4;

	static final int BACKLOG = 5000;

	private static final int TRICKLE = 40;

	static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

	static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(2);

	static final Duration HEARTBEAT = Duration.ofSeconds(2);

	ChaosSettings {
		only = Set.copyOf(only);
	}

	/**
	 * How many relays there are: a machine has to run the consumers, too.
	 */
	int relays() {
		return this.consumed ? RELAYS - 1 : RELAYS;
	}

	int writers() {
		return this.consumed ? WRITERS + 1 : WRITERS;
	}

	int consumers() {
		return this.consumed ? CONSUMERS : 0;
	}

	boolean isKafka() {
		return this.queueType.equals(KAFKA);
	}

	/**
	 * Whether consumers give messages up that fail, which others then follow, and which
	 * are replayed all the time.
	 */
	boolean hasDeadLetters() {
		return this.seed % 2 == 0;
	}

	/**
	 * How long a thread that writes pauses between two transactions, in milliseconds,
	 * when there are enough messages for the faults that have happened.
	 */
	long trickle() {
		return this.consumed ? 5 * TRICKLE : TRICKLE;
	}

	@Override
	public String toString() {
		if (this.consumed) {
			return "%d consumers of %d queues%s, seed %d".formatted(CONSUMERS, SHARDS,
					hasDeadLetters() ? " with dead letters" : "", this.seed);
		}
		return "%s, %s, seed %d".formatted(this.ordered ? "ordered" : "unordered",
				isKafka() ? "Kafka" : this.queueType + " queue", this.seed);
	}

}
