/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import org.jspecify.annotations.Nullable;

/**
 * Which worker of a relay looks for the message because of which the broker closes the
 * connection. All workers may share the connection, so each of them would take its end
 * for an answer to what it has sent itself, unless the others send nothing.
 * <p>
 * Any worker may take a turn that is free. A worker that was refused comes back at some
 * time or not at all, and keeping the turn for it would refuse it to all that come
 * before.
 */
final class SearchTurn {

	// Asked for every message that is sent
	private volatile @Nullable Thread owner;

	/**
	 * Take the turn, if it is free. Not for a thread that has it already.
	 * @return whether the current thread has it now
	 */
	synchronized boolean take() {
		if (this.owner == null) {
			this.owner = Thread.currentThread();
			return true;
		}
		return false;
	}

	/** Whether the current thread has the turn. */
	boolean isMine() {
		return this.owner == Thread.currentThread();
	}

	/** Whether another thread has it. */
	boolean isOfAnother() {
		Thread current = this.owner;
		return current != null && current != Thread.currentThread();
	}

	/** Wait until no other thread has it, or the current thread is interrupted. */
	synchronized void awaitEnd() {
		try {
			while (isOfAnother()) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** The current thread gives back the turn, if it has it. */
	synchronized void end() {
		if (isMine()) {
			this.owner = null;
			notifyAll();
		}
	}

}
