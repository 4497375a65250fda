/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Which partitions, or partition keys, have dead letters that others follow, as the
 * active consumer of a queue knows it.
 * <ol>
 * <li>Read them when the first message comes by a channel: from then on no other consumer
 * processes messages of the queue, so that no other one parks a key of it. (One that has
 * lost its channel while it made a dead letter may end that later. Then the message is
 * here as well, and its dead letter a duplicate.)</li>
 * <li>In a cluster another consumer may have been the active one meanwhile, without this
 * channel being closed: the connection between two nodes of the broker was lost for a
 * moment. Then nothing has come for a while, or what comes was delivered before. So read
 * them again when messages come after a pause, and when the first of some comes that were
 * delivered before.</li>
 * <li>A message whose key is not among them is processed, and the database is not
 * asked.</li>
 * <li>A message whose key is among them becomes a dead letter, unless the database says
 * that all dead letters of the key have been processed meanwhile.</li>
 * </ol>
 */
final class ParkedKeys {

	private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

	private final @Nullable DeadLetterSequences sequences;

	private final String shards;

	// How often it had to be read, and as which of these times it was
	private final AtomicLong wanted = new AtomicLong();

	private volatile @Nullable Known known;

	// What is known of a key follows what the table says of it: a thread that has just
	// seen that there is nothing, or has read all of it, must not make another one
	// forget what it has added
	private final Lock deciding = new ReentrantLock();

	// Messages come by a channel one after the other
	private long lastDelivery;

	private boolean isRedelivered;

	private long forgotten;

	/**
	 * Create them.
	 * @param sequences the table, null if no message follows a dead letter
	 * @param shards the name of the shards
	 */
	ParkedKeys(@Nullable DeadLetterSequences sequences, String shards) {
		this.sequences = sequences;
		this.shards = shards;
	}

	/**
	 * Take notice that a message has come, before it is worked on.
	 * @param now the time, as {@link System#nanoTime} tells it
	 * @param isRedelivered whether the broker has delivered it before
	 */
	void delivered(long now, boolean isRedelivered) {
		boolean isFirstRedelivered = isRedelivered && (!this.isRedelivered || now - this.forgotten >= PAUSE_NANOS);
		if (isFirstRedelivered || now - this.lastDelivery >= PAUSE_NANOS) {
			this.wanted.incrementAndGet();
			this.forgotten = now;
		}
		this.lastDelivery = now;
		this.isRedelivered = isRedelivered;
	}

	/** Take notice that a message becomes a dead letter. */
	void add(String key, String messageId) {
		if (this.sequences == null) {
			return;
		}
		this.deciding.lock();
		try {
			known(this.sequences).add(key);
			this.sequences.add(this.shards, key, messageId);
		}
		finally {
			this.deciding.unlock();
		}
	}

	/**
	 * Take notice that a message becomes a dead letter, if its key has any.
	 * @param messageId what tells it from others, which few messages have to say
	 * @return whether it has
	 */
	boolean addIfParked(String key, Supplier<String> messageId) {
		if (this.sequences == null || !known(this.sequences).contains(key)) {
			return false;
		}
		this.deciding.lock();
		try {
			Set<String> parked = known(this.sequences);
			boolean isBehind = this.sequences.addBehind(this.shards, key, messageId.get());
			if (!isBehind) {
				parked.remove(key);
			}
			return isBehind;
		}
		finally {
			this.deciding.unlock();
		}
	}

	/** Return whether a message is the first dead letter of its key. */
	boolean isFirst(String key, String messageId) {
		return this.sequences != null && messageId.equals(this.sequences.first(this.shards, key));
	}

	private Set<String> known(DeadLetterSequences table) {
		Known current = this.known;
		if (current != null && current.reading == this.wanted.get()) {
			return current.keys;
		}
		this.deciding.lock();
		try {
			return read(table);
		}
		finally {
			this.deciding.unlock();
		}
	}

	private Set<String> read(DeadLetterSequences table) {
		long reading = this.wanted.get();
		Known current = this.known;
		if (current == null || current.reading != reading) {
			current = new Known(reading, table.keys(this.shards));
			this.known = current;
		}
		return current.keys;
	}

	private record Known(long reading, Set<String> keys) {

	}

}
