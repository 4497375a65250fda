/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Which partitions, or partition keys, have dead letters that others follow, as the
 * active consumer of a queue knows it.
 * <ol>
 * <li>Read them when the first message comes by a channel: from then on, until the
 * channel is closed, no other consumer processes messages of the queue, so that no other
 * one parks a key of it. (One that has lost its channel while it made a dead letter may
 * end that later. Then the message is here as well, and its dead letter a
 * duplicate.)</li>
 * <li>A message whose key is not among them is processed, and the database is not
 * asked.</li>
 * <li>A message whose key is among them becomes a dead letter, unless the database says
 * that all dead letters of the key have been processed meanwhile.</li>
 * </ol>
 */
final class ParkedKeys {

	private final @Nullable DeadLetterSequences sequences;

	private final String shards;

	private @Nullable Set<String> known;

	// What is known of a key follows what the table says of it: a thread that has just
	// seen that there is nothing must not make another one forget what it has added
	private final Lock deciding = new ReentrantLock();

	/**
	 * Create them.
	 * @param sequences the table, null if no message follows a dead letter
	 * @param shards the name of the shards
	 */
	ParkedKeys(@Nullable DeadLetterSequences sequences, String shards) {
		this.sequences = sequences;
		this.shards = shards;
	}

	/** Take notice that a message becomes a dead letter. */
	void add(String key, String messageId) {
		if (this.sequences == null) {
			return;
		}
		Set<String> parked = known(this.sequences);
		this.deciding.lock();
		try {
			parked.add(key);
			this.sequences.add(this.shards, key, messageId);
		}
		finally {
			this.deciding.unlock();
		}
	}

	/**
	 * Take notice that a message becomes a dead letter, if its key has any.
	 * @return whether it has
	 */
	boolean addIfParked(String key, String messageId) {
		if (this.sequences == null || !known(this.sequences).contains(key)) {
			return false;
		}
		this.deciding.lock();
		try {
			boolean isBehind = this.sequences.addBehind(this.shards, key, messageId);
			if (!isBehind) {
				known(this.sequences).remove(key);
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

	private synchronized Set<String> known(DeadLetterSequences table) {
		Set<String> current = this.known;
		if (current == null) {
			current = table.keys(this.shards);
			this.known = current;
		}
		return current;
	}

}
