package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import io.orderedoutbox.store.Claims;

/**
 * Which partitions of the outbox may have something to send, as far as this instance
 * knows. All workers of the instance share it.
 * <ol>
 * <li>A partition is queued when a transaction of this instance has committed messages to
 * it, when a batch has left something in it, or when a poll has found something in it.
 * Workers take partitions from the head of the queue, each a fair share.</li>
 * <li>A partition that a worker has taken is not given to another one. What is committed
 * to it meanwhile queues it again as soon as it is released.</li>
 * <li>A partition that another instance owns is queued again after a few milliseconds,
 * longer each time.</li>
 * <li>One worker at a time polls, at most once in a poll interval.</li>
 * </ol>
 * That a partition is given to one worker at a time protects its cursor, and so the order
 * of messages. All else here costs time if it is wrong: a partition that was forgotten is
 * found by the next poll.
 */
final class PartitionBoard {

	private static final long FIRST_RETRY = Duration.ofMillis(5).toNanos();

	private static final int MAX_DOUBLINGS = 6;

	// To look at the starts of lanes takes one percent of the time at most
	private static final int SWEEP_PACE = 100;

	// A worker takes so many partitions even if its share is less
	private static final int FEW = 8;

	private final Partition[] partitions;

	private final Deque<Partition> queue = new ArrayDeque<>();

	private final long pollInterval;

	private final LongSupplier clock;

	private int workers;

	private boolean polling;

	private boolean pollWanted = true;

	private long polledAt;

	private int swept = -1;

	private long sweepAt;

	PartitionBoard(int partitions, Duration pollInterval, LongSupplier clock) {
		this.partitions = new Partition[partitions];
		for (int id = 0; id < partitions; id++) {
			this.partitions[id] = new Partition(id);
		}
		this.pollInterval = pollInterval.toNanos();
		this.clock = clock;
		this.sweepAt = clock.getAsLong();
	}

	/** How many partitions there are. */
	int size() {
		return this.partitions.length;
	}

	/** The cursor of a partition, for the worker that has taken it. */
	PartitionCursor cursor(int id) {
		return this.partitions[id].cursor;
	}

	/**
	 * Anything may have happened to the messages: look at all partitions, from their
	 * starts.
	 */
	synchronized void restart() {
		this.pollWanted = true;
		for (Partition partition : this.partitions) {
			partition.cursor.restart();
		}
	}

	/** There is one more worker. */
	synchronized void join() {
		this.workers++;
	}

	/** There is one worker less. */
	synchronized void leave() {
		this.workers--;
	}

	/**
	 * Messages were committed.
	 * @param ids to which partitions, nothing if that is not known
	 */
	synchronized void committed(Set<Integer> ids) {
		this.pollWanted |= ids.isEmpty();
		ids.forEach((id) -> queue(this.partitions[id]));
	}

	private void queue(Partition partition) {
		if (partition.taken) {
			partition.toldWhileTaken = true;
		}
		else if (!partition.queued) {
			partition.queued = true;
			this.queue.add(partition);
		}
	}

	/**
	 * Take partitions that may have something to send.
	 * @param most how many at most
	 * @return partitions, for this worker alone until it releases them
	 */
	synchronized List<Integer> take(int most) {
		requeueContested();
		int share = Math.max(FEW, (this.queue.size() + this.workers - 1) / Math.max(1, this.workers));
		List<Integer> taken = new ArrayList<>();
		while (!this.queue.isEmpty() && taken.size() < Math.min(most, share)) {
			Partition partition = this.queue.remove();
			partition.queued = false;
			partition.contested = false;
			partition.taken = true;
			taken.add(partition.id);
		}
		return taken;
	}

	private void requeueContested() {
		long now = this.clock.getAsLong();
		for (Partition partition : this.partitions) {
			if (partition.contested && now - partition.retryAt >= 0) {
				partition.contested = false;
				queue(partition);
			}
		}
	}

	/** Whether there is something for another worker to take. */
	synchronized boolean hasMore() {
		return !this.queue.isEmpty();
	}

	/**
	 * A worker no longer owns a partition.
	 * @param more whether it has left something there that can be sent
	 */
	synchronized void release(int id, boolean more) {
		Partition partition = this.partitions[id];
		boolean again = more || partition.toldWhileTaken;
		partition.contentions = 0;
		partition.taken = false;
		partition.toldWhileTaken = false;
		if (again) {
			queue(partition);
		}
	}

	/** A worker has taken a partition and could not lock it: another instance owns it. */
	synchronized void contested(int id) {
		Partition partition = this.partitions[id];
		partition.retryAt = this.clock.getAsLong() + (FIRST_RETRY << partition.contentions);
		partition.contentions = Math.min(partition.contentions + 1, MAX_DOUBLINGS);
		partition.contested = true;
		partition.taken = false;
		partition.toldWhileTaken = false;
	}

	/**
	 * Whether it is time to look at all partitions, and no other worker does so. To be
	 * followed by {@link #endPoll}.
	 */
	synchronized boolean beginPoll() {
		boolean due = this.pollWanted || isTimeToPoll();
		if (this.polling || !due) {
			return false;
		}
		this.polling = true;
		this.pollWanted = false;
		this.polledAt = this.clock.getAsLong();
		return true;
	}

	// A worker that has no interval ends when it finds nothing: it asks each time
	private boolean isTimeToPoll() {
		return (this.pollInterval > 0) ? this.clock.getAsLong() - this.polledAt >= this.pollInterval
				: this.queue.isEmpty();
	}

	/**
	 * The poll is over.
	 * @param found the partitions that have something to send
	 */
	synchronized void endPoll(Collection<Integer> found) {
		this.polling = false;
		for (int id : found) {
			Partition partition = this.partitions[id];
			// The partition was idle when it was polled. Its worker may have looked
			// before
			if (!partition.contested) {
				queue(partition);
			}
		}
	}

	/** The poll has failed. */
	synchronized void failPoll() {
		this.polling = false;
		this.pollWanted = true;
	}

	/**
	 * Choose a partition whose lane the poll looks at from the start, in case something
	 * that does not keep to the rules has put a message below its cursor.
	 * @return the partition, or -1 if it is too early
	 */
	synchronized int nextToSweep() {
		if (this.clock.getAsLong() - this.sweepAt < 0) {
			return -1;
		}
		this.swept = (this.swept + 1) % this.partitions.length;
		return this.swept;
	}

	/**
	 * A poll has looked at the start of a lane. Where rows that were deleted are not
	 * purged, it takes long.
	 */
	synchronized void swept(long nanos) {
		this.sweepAt = this.clock.getAsLong() + SWEEP_PACE * nanos;
	}

	/** Whether a partition is neither queued nor taken nor contested. */
	synchronized boolean isIdle(int id) {
		Partition partition = this.partitions[id];
		return !partition.taken && !partition.queued && !partition.contested;
	}

	/**
	 * How long there will be nothing to take, unless something is committed or a poll
	 * finds something.
	 */
	synchronized Duration rest() {
		if (!this.queue.isEmpty()) {
			return Duration.ZERO;
		}
		long now = this.clock.getAsLong();
		long rest = Claims.UNTIL_TOLD.toNanos();
		for (Partition partition : this.partitions) {
			if (partition.contested) {
				rest = Math.min(rest, partition.retryAt - now);
			}
		}
		return Duration.ofNanos(Math.max(0, rest));
	}

	/** What is known of a partition. */
	private static final class Partition {

		private final int id;

		private final PartitionCursor cursor = new PartitionCursor();

		private boolean queued;

		private boolean taken;

		private boolean toldWhileTaken;

		private boolean contested;

		private int contentions;

		private long retryAt;

		Partition(int id) {
			this.id = id;
		}

	}

}
