/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import io.orderedoutbox.relay.OneShotResult.Ending;
import io.orderedoutbox.relay.batch.ErrorText;
import io.orderedoutbox.relay.batch.WorkFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy of a relay that drains the outbox once: the workers are done when the last
 * of them finds nothing, and any failure ends the work of all.
 */
final class OneShotPolicy implements WorkerPolicy {

	private static final Logger logger = LoggerFactory.getLogger(OneShotPolicy.class);

	private final OneShotProgress progress;

	private long mark;

	OneShotPolicy(OneShotProgress progress) {
		this.progress = progress;
	}

	@Override
	public boolean awaitTurn(RelayWorker worker) {
		boolean over = this.progress.isOver();
		if (over) {
			// A worker that waits for a batch of this one must hear that there is none
			this.progress.end(Ending.TIME_LIMIT, null);
		}
		return !over;
	}

	@Override
	public boolean begin(RelayWorker worker) {
		this.mark = this.progress.begin();
		return this.progress.isAnyLeft();
	}

	@Override
	public boolean isOver() {
		return this.progress.isOver();
	}

	@Override
	public int grant(int messages) {
		return this.progress.take(messages);
	}

	@Override
	public void wakeAnother() {
		this.progress.wakeOthers();
	}

	@Override
	public void ended(RelayWorker worker, EndedBatch batch) {
		// Only now that the claim is closed: another worker that is told looks for what
		// this one has left
		if (batch.failure() != null) {
			failed(worker, batch.failure());
		}
		this.progress.done(batch.batch());
	}

	@Override
	public void nothingFound(RelayWorker worker) throws InterruptedException {
		worker.giveBack();
		this.progress.nothingFound(this.mark);
	}

	@Override
	public void failed(RelayWorker worker, Throwable failure) {
		String error = ErrorText.of(failure);
		if (WorkFailure.of(failure).isOutage()) {
			logger.debug("The cause of the end of a one-shot relay", failure);
			this.progress.end(Ending.UNREACHABLE, error);
		}
		else {
			logger.atError()
				.setCause(failure)
				.addKeyValue("worker", worker.activity().number())
				.addKeyValue("error", error)
				.log("A worker of the one-shot relay failed. Messages are kept");
			this.progress.end(Ending.BROKEN, error);
		}
	}

	@Override
	public void interrupted() {
		this.progress.end(Ending.STOPPED, "interrupted");
	}

}
