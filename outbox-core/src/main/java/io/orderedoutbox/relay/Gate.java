/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.orderedoutbox.relay.RelayStatus.WorkerState;

/**
 * Where workers wait while their relay is paused, without a claim.
 */
final class Gate {

	private final Set<PauseScope> closed = EnumSet.noneOf(PauseScope.class);

	/**
	 * Close it.
	 * @return whether it was not so before
	 */
	synchronized boolean close(PauseScope scope) {
		return this.closed.add(scope);
	}

	/**
	 * Take back what has closed it.
	 */
	synchronized void open(PauseScope scope) {
		this.closed.remove(scope);
		notifyAll();
	}

	synchronized boolean isClosed(PauseScope scope) {
		return this.closed.contains(scope);
	}

	synchronized boolean isClosed() {
		return !this.closed.isEmpty();
	}

	/**
	 * Look at the workers that wait, and at what keeps it closed, while no worker comes
	 * or goes.
	 */
	synchronized <T> T look(Function<Set<PauseScope>, T> look) {
		return look.apply(Set.copyOf(this.closed));
	}

	/**
	 * Let the workers that wait look again whether they still have to.
	 */
	synchronized void stir() {
		notifyAll();
	}

	/**
	 * Wait while it is closed.
	 * @param givenUp whether there is another reason to go on, after a {@link #stir()}
	 * @param activity of the worker that waits, paused for as long as it does
	 */
	synchronized void pass(BooleanSupplier givenUp, WorkerActivity activity) throws InterruptedException {
		if (!isClosed()) {
			return;
		}
		activity.has(WorkerState.PAUSED);
		try {
			while (isClosed() && !givenUp.getAsBoolean()) {
				wait();
			}
		}
		finally {
			activity.has(WorkerState.IDLE);
		}
	}

}
