/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

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
 * <li>A partition that another transaction has locked, in most cases that of another
 * instance, or whose messages it has locked, is queued again after a few milliseconds,
 * longer each time; or when something is committed to it.</li>
 * <li>One worker at a time polls the partitions that are idle, at most once in a poll
 * interval.</li>
 * <li>From time to time one partition is looked at from its start, in case a program that
 * does not keep to the rules has put a message below its cursor.</li>
 * </ol>
 * That a partition is given to one worker at a time protects its cursor, and so the order
 * of messages; so does {@link #restart()}. All else here costs time if it is wrong: a
 * partition that was forgotten is found by the next poll.
 */
final class PartitionBoard {

	private static final long FIRST_RETRY = Duration.ofMillis(5).toNanos();

	private static final int MAX_DOUBLINGS = 6;

	// Where rows that were deleted are not purged, to read a lane from its start can take
	// a tenth of a second
	private static final long SWEEP_INTERVAL = Duration.ofSeconds(10).toNanos();

	// A worker takes so many partitions even if its share is less
	private static final int FEW = 8;

	private final Partition[] partitions;

	private final Deque<Partition> queue = new ArrayDeque<>();

	private final long pollInterval;

	private final LongSupplier clock;

	private String server = "";

	private int workers;

	private boolean polling;

	private boolean pollWanted = true;

	private long polledAt;

	private int swept;

	private long sweptAt;

	private boolean sweeping;

	PartitionBoard(int partitions, Duration pollInterval, LongSupplier clock) {
		this.partitions = new Partition[partitions];
		Arrays.setAll(this.partitions, Partition::new);
		this.pollInterval = pollInterval.toNanos();
		this.clock = clock;
		this.sweptAt = clock.getAsLong();
		restart();
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
		for (Partition partition : this.partitions) {
			partition.cursor.restart();
			queue(partition);
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
		if (partition.state == State.TAKEN) {
			partition.queueAgain = true;
		}
		else if (partition.state != State.QUEUED) {
			partition.state = State.QUEUED;
			this.queue.add(partition);
		}
	}

	/**
	 * Take partitions that may have something to send.
	 * @param most how many at most
	 * @return partitions, for this worker alone until it releases them
	 */
	synchronized List<Integer> take(int most) {
		long now = this.clock.getAsLong();
		for (Partition partition : this.partitions) {
			if (partition.state == State.CONTESTED && now - partition.retryAt >= 0) {
				queue(partition);
			}
		}
		int share = Math.max(FEW, (this.queue.size() + this.workers - 1) / Math.max(1, this.workers));
		List<Integer> taken = new ArrayList<>();
		while (!this.queue.isEmpty() && taken.size() < Math.min(most, share)) {
			Partition partition = this.queue.remove();
			partition.state = State.TAKEN;
			partition.queueAgain = false;
			taken.add(partition.id);
		}
		return taken;
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
		partition.contentions = 0;
		partition.state = State.IDLE;
		if (more || partition.queueAgain) {
			queue(partition);
		}
	}

	/** Another transaction has locked a partition that was taken, or its messages. */
	synchronized void contested(int id) {
		Partition partition = this.partitions[id];
		partition.retryAt = this.clock.getAsLong() + (FIRST_RETRY << partition.contentions);
		partition.contentions = Math.min(partition.contentions + 1, MAX_DOUBLINGS);
		partition.state = State.CONTESTED;
		if (partition.queueAgain) {
			queue(partition);
		}
	}

	/**
	 * Whether it is time to poll, and no other worker does so. To be followed by
	 * {@link #endPoll} or {@link #failPoll}.
	 */
	synchronized boolean beginPoll() {
		long now = this.clock.getAsLong();
		if (this.polling || !(this.pollWanted || isTimeToPoll(now))) {
			return false;
		}
		this.polling = true;
		this.pollWanted = false;
		this.polledAt = now;
		sweep(now);
		return true;
	}

	// A worker that has no interval ends when it finds nothing: it asks each time
	private boolean isTimeToPoll(long now) {
		return (this.pollInterval > 0) ? now - this.polledAt >= this.pollInterval : this.queue.isEmpty();
	}

	private void sweep(long now) {
		this.sweeping = now - this.sweptAt >= SWEEP_INTERVAL;
		if (this.sweeping) {
			this.sweptAt = now;
			this.swept = (this.swept + 1) % this.partitions.length;
			Partition partition = this.partitions[this.swept];
			if (partition.state != State.IDLE) {
				partition.cursor.sweep();
			}
		}
	}

	/**
	 * Where a poll looks: at the partitions that are idle, each from its cursor on, and
	 * one now and then from the start.
	 */
	synchronized Map<Integer, Long> pollFrom() {
		return Arrays.stream(this.partitions)
			.filter((partition) -> partition.state == State.IDLE)
			.collect(Collectors.toMap((partition) -> partition.id,
					(partition) -> isSwept(partition.id) ? 0 : partition.cursor.next(this.server)));
	}

	/**
	 * The poll is over.
	 * @param answered the server that has answered: if it is another one than the last
	 * time, the positions mean nothing
	 * @param found the partitions that have something to send
	 */
	synchronized void endPoll(String answered, Collection<Integer> found) {
		this.polling = false;
		if (!this.server.isEmpty() && !this.server.equals(answered)) {
			restart();
		}
		this.server = answered;
		for (int id : found) {
			if (isSwept(id)) {
				this.partitions[id].cursor.sweep();
			}
			// One that is contested is tried again in any case. The worker of one that is
			// taken may have looked before
			if (this.partitions[id].state != State.CONTESTED) {
				queue(this.partitions[id]);
			}
		}
	}

	private boolean isSwept(int id) {
		return this.sweeping && this.swept == id;
	}

	/** The poll has failed. */
	synchronized void failPoll() {
		this.polling = false;
		this.pollWanted = true;
	}

	/**
	 * How long there will be nothing to take, unless something is committed or a poll
	 * finds something.
	 */
	synchronized Duration rest() {
		long now = this.clock.getAsLong();
		long rest = this.queue.isEmpty() ? Claims.UNTIL_TOLD.toNanos() : 0;
		for (Partition partition : this.partitions) {
			if (partition.state == State.CONTESTED) {
				rest = Math.min(rest, partition.retryAt - now);
			}
		}
		return Duration.ofNanos(Math.max(0, rest));
	}

	private enum State {

		/** Nothing is known of it but its cursor. */
		IDLE,

		QUEUED,

		/** A worker of this instance has it. */
		TAKEN,

		/** Another transaction has locked its row, or its messages. */
		CONTESTED

	}

	private static final class Partition {

		private final int id;

		private final PartitionCursor cursor = new PartitionCursor();

		private State state = State.IDLE;

		private boolean queueAgain;

		private int contentions;

		private long retryAt;

		Partition(int id) {
			this.id = id;
		}

	}

}
