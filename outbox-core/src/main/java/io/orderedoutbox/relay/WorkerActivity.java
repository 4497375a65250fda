/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import io.orderedoutbox.relay.RelayStatus.Worker;
import io.orderedoutbox.relay.RelayStatus.WorkerState;

/**
 * What a worker lets others see of itself. The worker alone writes it.
 */
final class WorkerActivity {

	private final int number;

	private volatile Worker seen;

	WorkerActivity(int number) {
		this.number = number;
		this.seen = new Worker(number, WorkerState.STOPPED, 0, 0);
	}

	int number() {
		return this.number;
	}

	void has(WorkerState state) {
		this.seen = new Worker(this.number, state, this.seen.batches(), 0);
	}

	void hasTaken(int keys) {
		this.seen = new Worker(this.number, WorkerState.BUSY, this.seen.batches(), keys);
	}

	void hasEndedBatch() {
		this.seen = new Worker(this.number, WorkerState.IDLE, this.seen.batches() + 1, 0);
	}

	Worker seen() {
		return this.seen;
	}

}
