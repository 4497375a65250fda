/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.List;
import java.util.function.Consumer;

import io.orderedoutbox.relay.OneShotResult.Ending;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.store.RelayStore;
import org.jspecify.annotations.Nullable;

/**
 * Relays what is due, and then is done. It claims as {@link OutboxRelay} does, so that
 * both may run at the same time, on the same outbox.
 * <p>
 * Guaranteed: when it has drained, every message that was due before it began, and whose
 * key no other relay had claimed, was tried. An outage ends it at once; what it could not
 * send stays in the outbox and has spent no attempt.
 */
public final class OneShotRelay {

	private final RelayStore store;

	private final MessageSender sender;

	private final OneShotSettings settings;

	private final RelayListener listener;

	private volatile @Nullable Draining draining;

	/**
	 * Create a relay.
	 * @param store where messages are claimed: one that looks everywhere before it finds
	 * nothing
	 * @param sender where they are sent
	 * @param settings how many workers, and what they go by
	 * @param listeners are told what it does
	 */
	public OneShotRelay(RelayStore store, MessageSender sender, OneShotSettings settings,
			List<RelayListener> listeners) {
		this.store = store;
		this.sender = sender;
		this.settings = settings;
		this.listener = new RelayListeners(listeners);
	}

	/**
	 * Relay until nothing is due any more, or a limit is reached, or something is lost.
	 * @param listener is told of every batch, of one at a time
	 * @return what was done
	 * @throws InterruptedException if the calling thread was interrupted
	 */
	public OneShotResult drain(Consumer<Batch> listener) throws InterruptedException {
		Draining current = draining(new OneShotProgress(this.settings, listener));
		this.draining = current;
		try {
			current.pool().start();
			current.pool().join();
			return current.progress().result();
		}
		finally {
			current.progress().end(Ending.STOPPED, "interrupted");
			current.pool().tellToStop();
		}
	}

	private Draining draining(OneShotProgress progress) {
		RelayContext context = new RelayContext(this.sender, this.settings.worker(), this.listener);
		WorkerPool pool = new WorkerPool(this.settings.workers(), this.settings.stopTimeout(), context,
				(number) -> new RelayWorker(number, this.store.claims(), context, new OneShotPolicy(progress)));
		return new Draining(progress, pool);
	}

	/**
	 * Send nothing more, and wait for messages in flight, up to the stop timeout. Without
	 * effect if it is not draining.
	 */
	public void stop() {
		Draining current = this.draining;
		if (current != null) {
			current.progress().end(Ending.STOPPED, "told to stop");
			current.pool().tellToStop();
			current.pool().awaitEnd();
		}
	}

	/**
	 * A relay that has begun to drain the outbox.
	 */
	private record Draining(OneShotProgress progress, WorkerPool pool) {

	}

}
