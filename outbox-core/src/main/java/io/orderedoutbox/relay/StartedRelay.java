/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.List;

import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.relay.RelayStatus.Worker;
import io.orderedoutbox.relay.RelayStatus.WorkerState;
import io.orderedoutbox.store.RelayStore;

/**
 * An {@link OutboxRelay} between one start and the next stop.
 */
final class StartedRelay {

	private final RelaySignal signal;

	private final Gate gate;

	private final OutageLog outages = new OutageLog();

	private final WorkerPool pool;

	StartedRelay(RelayStore store, RelaySettings settings, RelayContext context, RelaySignal signal, Gate gate) {
		this.signal = signal;
		this.gate = gate;
		this.pool = new WorkerPool(settings.workers(), settings.stopTimeout(), context,
				(number) -> new RelayWorker(number, store.claims(), context,
						new ContinuousPolicy(context, signal, gate, this.outages)));
	}

	void start() {
		this.pool.start();
	}

	RelayStatus status(long published) {
		return this.gate.look((pauses) -> {
			List<Worker> workers = this.pool.seen();
			boolean atRest = workers.stream().allMatch((worker) -> worker.state() == WorkerState.PAUSED);
			RelayState paused = atRest ? RelayState.PAUSED : RelayState.PAUSING;
			Outage outage = atRest ? null : this.outages.outage();
			return new RelayStatus(pauses.isEmpty() ? RelayState.RUNNING : paused, pauses, outage, workers, published);
		});
	}

	/**
	 * Forget why the workers could not work, if they have not tried for a while.
	 */
	void beginAnew() {
		if (status(0).state() == RelayState.PAUSED) {
			this.outages.forget();
		}
	}

	void tellToStop() {
		this.pool.tellToStop();
		this.signal.wakeAll();
		this.gate.stir();
	}

	boolean isToldToStop() {
		return this.pool.isToldToStop();
	}

	/**
	 * Return when all workers have ended, or the stop timeout is over.
	 */
	void awaitEnd() {
		this.pool.awaitEnd();
	}

}
