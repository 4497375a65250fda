/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/**
 * Which worker of a relay looks for the message because of which the broker closes the
 * connection. All workers may share the connection, so each of them would take its end
 * for an answer to what it has sent itself, unless the others send nothing.
 * <p>
 * A worker that has to wait comes before those that have not. It may have the message,
 * and the others nothing to find.
 */
final class SearchTurn {

	private final Deque<Thread> waiting = new ArrayDeque<>();

	private @Nullable Thread owner;

	/**
	 * Take the turn, if it is free. Not for a thread that has it already.
	 * @return whether the current thread has it now
	 */
	synchronized boolean take() {
		Thread worker = Thread.currentThread();
		boolean first = this.waiting.isEmpty() || this.waiting.peek() == worker;
		this.waiting.remove(worker);
		if (this.owner == null && first) {
			this.owner = worker;
			return true;
		}
		if (this.owner == null) {
			// One that has nothing in flight any more does not come
			this.waiting.poll();
		}
		this.waiting.add(worker);
		return false;
	}

	/** Whether the current thread has the turn. */
	synchronized boolean isMine() {
		return this.owner == Thread.currentThread();
	}

	/** Whether another thread has it. */
	synchronized boolean isOfAnother() {
		return this.owner != null && !isMine();
	}

	/** The current thread gives back the turn, if it has it. */
	synchronized void end() {
		if (isMine()) {
			this.owner = null;
		}
	}

}
