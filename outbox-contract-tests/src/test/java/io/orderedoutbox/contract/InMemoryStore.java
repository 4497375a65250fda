/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
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
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.StoreTime;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A store in memory: messages get their positions when their transaction has committed,
 * and a key belongs to the claim that has it first. One fault can be put in.
 */
final class InMemoryStore implements StoreUnderTest, OutboxStore {

	private static final int SEQUENCES = 8;

	private static final int MESSAGES = 10;

	private final Fault fault;

	private final PlatformTransactionManager transactions = new MemoryTransactionManager();

	private final TreeMap<Long, Row> rows = new TreeMap<>();

	private final Set<String> owned = new HashSet<>();

	private long position;

	InMemoryStore(Fault fault) {
		this.fault = fault;
	}

	@Override
	public OutboxStore outboxStore() {
		return this;
	}

	@Override
	public PlatformTransactionManager transactionManager() {
		return this.transactions;
	}

	@Override
	public Instance instance() {
		return new MemoryInstance();
	}

	@Override
	public void close() {
		// There is nothing to give back
	}

	@Override
	public synchronized Set<Integer> append(List<Message> messages) {
		Map<Long, Row> appended = new TreeMap<>();
		for (Message message : messages) {
			appended.put(++this.position, Row.of(message, this.fault));
		}
		if (this.fault == Fault.STORES_BEFORE_THE_COMMIT) {
			this.rows.putAll(appended);
		}
		else {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					store(appended);
				}

			});
		}
		return Set.of();
	}

	private synchronized void store(Map<Long, Row> appended) {
		if (this.fault == Fault.TAKES_POSITIONS_WHEN_APPENDED) {
			this.rows.putAll(appended);
		}
		else {
			appended.values().forEach((row) -> this.rows.put(++this.position, row));
		}
	}

	// A message without a key is bound to none
	private static String owner(long id, Row row) {
		return row.message.partitionKey().isEmpty() ? " " + id : "key " + row.message.partitionKey();
	}

	private synchronized @Nullable Claim claim(MemoryInstance instance) {
		Map<String, List<StoredMessage>> found = new HashMap<>();
		Set<String> held = new HashSet<>();
		this.rows.forEach((id, row) -> {
			String owner = owner(id, row);
			boolean isDue = !row.isBlocked && !row.availableAt.isAfter(Instant.now());
			if (!isDue && this.fault != Fault.PASSES_BY_WHAT_WAITS) {
				held.add(owner);
			}
			boolean isFree = !this.owned.contains(owner) || this.fault == Fault.GIVES_A_KEY_TO_TWO;
			if (isDue && isFree && !held.contains(owner) && (found.containsKey(owner) || found.size() < SEQUENCES)) {
				List<StoredMessage> sequence = found.computeIfAbsent(owner, (absent) -> new ArrayList<>());
				if (sequence.size() < MESSAGES) {
					sequence.add(row.stored(id));
				}
			}
		});
		if (found.isEmpty()) {
			return null;
		}
		this.owned.addAll(found.keySet());
		MemoryClaim claim = new MemoryClaim(found);
		instance.claims.add(claim);
		return claim;
	}

	private synchronized void apply(Collection<Long> published, Collection<FailedMessage> failed) {
		published.forEach(this.rows::remove);
		failed.forEach((failure) -> {
			if (failure.fate() == Fate.DEAD_LETTER && this.fault != Fault.KEEPS_DEAD_LETTERS) {
				this.rows.remove(failure.id());
			}
			else {
				this.rows.computeIfPresent(failure.id(), (id, row) -> row.failed(failure, this.fault));
			}
		});
	}

	/**
	 * What a store may do wrong.
	 */
	enum Fault {

		NONE, STORES_BEFORE_THE_COMMIT, TAKES_POSITIONS_WHEN_APPENDED, GIVES_A_KEY_TO_TWO, SETTLES_BEFORE_THE_COMMIT,
		PASSES_BY_WHAT_WAITS, FORGETS_DELAYS, SPENDS_ATTEMPTS_OF_WHAT_WAS_PUT_OFF, KEEPS_DEAD_LETTERS,
		LETS_THE_DEAD_COMMIT, REMOVES_WHAT_WAS_NOT_SETTLED

	}

	/**
	 * A message in the outbox.
	 */
	private record Row(Message message, Instant createdAt, Instant availableAt, int attempts, boolean isBlocked) {

		static Row of(Message message, Fault fault) {
			Instant now = Instant.now();
			Instant until = message.delay().until();
			Instant available = (until != null) ? until : now.plus(message.delay().duration());
			return new Row(message, now, (fault == Fault.FORGETS_DELAYS) ? now : available, 0, false);
		}

		Row failed(FailedMessage failure, Fault fault) {
			boolean isSpent = failure.fate() != Fate.POSTPONED || fault == Fault.SPENDS_ATTEMPTS_OF_WHAT_WAS_PUT_OFF;
			return new Row(this.message, this.createdAt, Instant.now().plus(failure.delay()),
					this.attempts + (isSpent ? 1 : 0), failure.fate() == Fate.BLOCKED);
		}

		StoredMessage stored(long id) {
			Message sent = new Message(this.message.messageId(), this.message.name(), this.message.partitionKey(),
					this.message.destination(), this.message.contentType(), this.message.payload(),
					this.message.headers(), Delay.NONE);
			return new StoredMessage(id, sent, this.createdAt, this.availableAt, this.attempts, null, false);
		}

	}

	/**
	 * An instance, which can die.
	 */
	private final class MemoryInstance implements Instance {

		private final List<MemoryClaim> claims = new ArrayList<>();

		@Override
		public RelayStore relayStore() {
			return () -> () -> claim(this);
		}

		@Override
		public boolean die() {
			this.claims.forEach(MemoryClaim::lose);
			return true;
		}

	}

	/**
	 * Some keys, until it is closed or lost.
	 */
	private final class MemoryClaim implements Claim {

		private final Map<String, List<StoredMessage>> sequences;

		private final List<Long> published = new ArrayList<>();

		private final List<FailedMessage> failed = new ArrayList<>();

		private boolean isOver;

		private boolean isLost;

		MemoryClaim(Map<String, List<StoredMessage>> sequences) {
			this.sequences = sequences;
		}

		void lose() {
			close();
			this.isLost = InMemoryStore.this.fault != Fault.LETS_THE_DEAD_COMMIT;
		}

		@Override
		public List<KeySequence> sequences() {
			return this.sequences.values().stream().map(KeySequence::new).toList();
		}

		@Override
		public boolean moreIsWaiting() {
			return false;
		}

		@Override
		public boolean renew() {
			return !this.isLost;
		}

		@Override
		public StoreTime time() {
			return new StoreTime(Instant.now(), System.nanoTime());
		}

		@Override
		public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
			requireOwner();
			this.published.addAll(published);
			this.failed.addAll(failed);
			if (InMemoryStore.this.fault == Fault.SETTLES_BEFORE_THE_COMMIT) {
				apply(published, failed);
			}
		}

		private void requireOwner() {
			if (this.isLost) {
				throw new TransientDataAccessResourceException("The claim is lost");
			}
		}

		@Override
		public void commit() {
			requireOwner();
			if (InMemoryStore.this.fault == Fault.REMOVES_WHAT_WAS_NOT_SETTLED) {
				this.sequences.values().forEach((sequence) -> this.published.addAll(StoreWorker.ids(sequence)));
			}
			apply(this.published, this.failed);
			close();
		}

		@Override
		public void close() {
			synchronized (InMemoryStore.this) {
				if (!this.isOver) {
					InMemoryStore.this.owned.removeAll(this.sequences.keySet());
				}
				this.isOver = true;
			}
		}

	}

}
