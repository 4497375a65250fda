package io.orderedoutbox.relay.recovery;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.SendingJournal;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of an instance know of messages that may have ended a process.
 */
final class Suspects {

	// Of a list of 2,000 a message is the only one after three further processes
	private static final int PARTS = 16;

	// Instead of a number of messages: the message has spent its attempt, and is sent
	// alone
	private static final int COUNTED = 0;

	private final SendingJournal journal;

	// By position: how many messages were on the shortest list that it was on
	private final Map<Long, Integer> listed = new ConcurrentHashMap<>();

	private final Set<Integer> clearedPartitions = ConcurrentHashMap.newKeySet();

	private final Semaphore turn = new Semaphore(1);

	private final AtomicInteger workers = new AtomicInteger();

	// Null before the journal was read
	private volatile @Nullable Boolean recovering;

	Suspects(SendingJournal journal) {
		this.journal = journal;
	}

	void join() {
		this.workers.incrementAndGet();
	}

	void leave() {
		this.workers.decrementAndGet();
	}

	boolean isIdle() {
		return this.workers.get() == 0;
	}

	/**
	 * Read the journal, unless that was done.
	 * @return whether an instance has ended without a farewell
	 */
	boolean read() {
		Boolean known = this.recovering;
		return (known != null) ? known : readOnce();
	}

	private synchronized boolean readOnce() {
		Boolean known = this.recovering;
		if (known != null) {
			return known;
		}
		List<Set<Long>> left = this.journal.left();
		left.forEach((list) -> list.forEach((position) -> this.listed.merge(position, list.size(), Math::min)));
		this.recovering = !left.isEmpty();
		return !left.isEmpty();
	}

	/** Whether the messages of a claim are to be noted before they are sent. */
	boolean concern(Claim claim) {
		return !this.clearedPartitions.containsAll(claim.partitions()) || (!this.listed.isEmpty() && claim.sequences()
			.stream()
			.flatMap((sequence) -> sequence.messages().stream())
			.anyMatch((message) -> this.listed.containsKey(message.id())));
	}

	/** Wait until no other worker sends what is noted, but not for long. */
	boolean awaitTurn() {
		try {
			return this.turn.tryAcquire(1, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	void endTurn() {
		this.turn.release();
	}

	/** How many messages may be sent together with a message, itself included. */
	int limit(StoredMessage message) {
		Integer size = this.listed.get(message.id());
		return (size != null) ? Math.max(1, size / PARTS) : Integer.MAX_VALUE;
	}

	/** Whether the message was the only one that a process was sending when it ended. */
	boolean isConvicted(StoredMessage message) {
		return isAlone(message.id());
	}

	private boolean isAlone(long position) {
		return Integer.valueOf(1).equals(this.listed.get(position));
	}

	/**
	 * Messages were tried, and the process goes on: they are no suspects any more.
	 * @return those that were not sent, but have spent an attempt: they are sent alone
	 * next
	 */
	List<Long> tried(Collection<Long> positions) {
		List<Long> counted = positions.stream().filter(this::isAlone).toList();
		positions.forEach(this.listed::remove);
		counted.forEach((position) -> this.listed.put(position, COUNTED));
		return counted;
	}

	/** All that a claim had of these partitions was tried. */
	void clearPartitions(Collection<Integer> partitions) {
		this.clearedPartitions.addAll(partitions);
	}

}
