/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Delay;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoreTime;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * An outbox in memory, for what writes to it and for what relays from it.
 * <ol>
 * <li>What a transaction appends gets its positions when the transaction has committed.
 * Before that, and after a rollback, no claim sees it.</li>
 * <li>A claim takes partition keys that no other claim has: of each key what is due, from
 * its first message on. A message that has no key, or whatever message in an outbox that
 * keeps no order, is a key of its own.</li>
 * <li>A message that is delayed, has failed or is blocked holds what is behind it in its
 * key.</li>
 * <li>What a claim settles happens when the claim commits, or not at all.</li>
 * </ol>
 * Time is that of the machine, and what a test has added to it.
 */
final class InMemoryOutbox {

	private final boolean ordered;

	private final TreeMap<Long, Row> rows = new TreeMap<>();

	private final Set<Object> owned = new HashSet<>();

	private long position;

	private Duration ahead = Duration.ZERO;

	InMemoryOutbox(boolean ordered) {
		this.ordered = ordered;
	}

	/**
	 * Append messages as part of the current transaction.
	 * @return nothing, because there are no partitions
	 */
	Set<Integer> append(List<Message> messages) {
		AfterCommit.run(() -> store(messages));
		return Set.of();
	}

	private synchronized void store(List<Message> messages) {
		Instant now = now();
		messages.forEach((message) -> this.rows.put(++this.position, Row.of(message, now)));
	}

	/**
	 * Forget everything, and be at the time of the machine again.
	 */
	synchronized void clear() {
		this.rows.clear();
		this.owned.clear();
		this.ahead = Duration.ZERO;
	}

	/**
	 * Let time pass.
	 */
	synchronized void advance(Duration duration) {
		this.ahead = this.ahead.plus(duration);
	}

	private Instant now() {
		return Instant.now().plus(this.ahead);
	}

	/**
	 * Claim all that is due and that nobody else has claimed, {@code null} for nothing.
	 */
	synchronized @Nullable Claim claim() {
		Instant now = now();
		Map<Object, List<StoredMessage>> due = new LinkedHashMap<>();
		Set<Object> held = new HashSet<>(this.owned);
		this.rows.forEach((id, row) -> {
			Object key = key(id, row.message());
			if (row.isBlocked() || row.availableAt().isAfter(now)) {
				held.add(key);
			}
			else if (!held.contains(key)) {
				due.computeIfAbsent(key, (absent) -> new ArrayList<>()).add(row.stored(id));
			}
		});
		if (due.isEmpty()) {
			return null;
		}
		this.owned.addAll(due.keySet());
		return new InMemoryClaim(due, new StoreTime(now, System.nanoTime()));
	}

	private Object key(Long id, Message message) {
		return (this.ordered && !message.partitionKey().isEmpty()) ? message.partitionKey() : id;
	}

	private synchronized void apply(Collection<Long> published, Collection<FailedMessage> failed) {
		Instant now = now();
		published.forEach(this.rows::remove);
		failed.forEach((failure) -> this.rows.computeIfPresent(failure.id(), (id, row) -> row.failed(failure, now)));
	}

	private synchronized void release(Collection<Object> keys) {
		this.owned.removeAll(keys);
	}

	/**
	 * A message in the outbox.
	 */
	private record Row(Message message, Instant createdAt, Instant availableAt, int attempts, boolean isBlocked) {

		static Row of(Message message, Instant now) {
			Delay delay = message.delay();
			Instant until = (delay.until() != null) ? delay.until() : now.plus(delay.duration());
			return new Row(message, now, until, 0, false);
		}

		// What is dead is in nobody's way
		@Nullable Row failed(FailedMessage failure, Instant now) {
			if (failure.fate() == Fate.DEAD_LETTER) {
				return null;
			}
			int spent = (failure.fate() == Fate.POSTPONED) ? 0 : 1;
			return new Row(this.message, this.createdAt, now.plus(failure.delay()), this.attempts + spent,
					failure.fate() == Fate.BLOCKED);
		}

		StoredMessage stored(long id) {
			Message due = new Message(this.message.messageId(), this.message.name(), this.message.partitionKey(),
					this.message.destination(), this.message.contentType(), this.message.payload(),
					this.message.headers());
			return new StoredMessage(id, due, this.createdAt, this.availableAt, this.attempts, null, false);
		}

	}

	/**
	 * The keys of a claim, until it is closed.
	 */
	private final class InMemoryClaim implements Claim {

		private final Map<Object, List<StoredMessage>> due;

		private final StoreTime time;

		private final List<Long> published = new ArrayList<>();

		private final List<FailedMessage> failed = new ArrayList<>();

		private boolean isClosed;

		InMemoryClaim(Map<Object, List<StoredMessage>> due, StoreTime time) {
			this.due = due;
			this.time = time;
		}

		@Override
		public List<KeySequence> sequences() {
			return this.due.values().stream().map(KeySequence::new).toList();
		}

		@Override
		public boolean moreIsWaiting() {
			return false;
		}

		@Override
		public boolean renew() {
			return !this.isClosed;
		}

		@Override
		public StoreTime time() {
			return this.time;
		}

		@Override
		public void settle(Collection<Long> taken, Collection<FailedMessage> refused) {
			this.published.addAll(taken);
			this.failed.addAll(refused);
		}

		@Override
		public void commit() {
			suspend();
			close();
		}

		@Override
		public void suspend() {
			apply(this.published, this.failed);
		}

		@Override
		public void settleLate(Collection<Long> taken, Collection<FailedMessage> refused) {
			apply(taken, refused);
		}

		@Override
		public void close() {
			if (!this.isClosed) {
				this.isClosed = true;
				release(this.due.keySet());
			}
		}

	}

}
