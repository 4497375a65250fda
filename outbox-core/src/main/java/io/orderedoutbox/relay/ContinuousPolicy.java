/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.orderedoutbox.relay.RelayStatus.WorkerState;
import io.orderedoutbox.relay.batch.WorkFailure;
import io.orderedoutbox.store.Claims;

/**
 * The policy of a relay that goes on until it is stopped.
 * <ol>
 * <li>While the relay is paused, the worker waits at the {@link Gate}.</li>
 * <li>When there is nothing to do, the worker rests until it is told of messages, or
 * until it is time to look by itself.</li>
 * <li>When something has failed, the worker waits, longer each time. The worker ends only
 * when it is told to, never because of a failure.</li>
 * <li>After a failure the worker asks the broker for a channel before it claims, because
 * a claim takes a connection from the pool of the application.</li>
 * </ol>
 */
final class ContinuousPolicy implements WorkerPolicy {

	private final RelayContext context;

	private final RelaySignal signal;

	private final Gate gate;

	private final OutageLog outages;

	private int failures;

	private long begunAt;

	private boolean atWork;

	ContinuousPolicy(RelayContext context, RelaySignal signal, Gate gate, OutageLog outages) {
		this.context = context;
		this.signal = signal;
		this.gate = gate;
		this.outages = outages;
	}

	@Override
	public boolean awaitTurn(RelayWorker worker) throws InterruptedException {
		if (this.gate.isClosed() && !this.context.isStopping()) {
			giveBack(worker);
			this.gate.pass(this.context::isStopping, worker.activity());
		}
		return !this.context.isStopping();
	}

	@Override
	public boolean begin(RelayWorker worker) {
		this.begunAt = this.outages.begin();
		this.atWork = true;
		if (this.failures > 0) {
			worker.giveBack();
			worker.requireBroker();
		}
		return true;
	}

	@Override
	public boolean isOver() {
		return this.context.isStopping();
	}

	@Override
	public int grant(int messages) {
		return messages;
	}

	@Override
	public void wakeAnother() {
		this.signal.wake();
	}

	@Override
	public void ended(RelayWorker worker, EndedBatch batch) throws InterruptedException {
		if (batch.failure() != null) {
			failed(worker, batch.failure());
			return;
		}
		works(batch.hasPublished());
		if (!batch.more()) {
			rest(worker);
		}
	}

	@Override
	public void nothingFound(RelayWorker worker) throws InterruptedException {
		works(false);
		rest(worker);
	}

	private void works(boolean published) {
		boolean proven = published || (this.failures > 0 && !this.context.isStopping());
		if (proven && this.outages.works(this.begunAt, published)) {
			this.failures = 0;
		}
		leaveWork();
	}

	private void leaveWork() {
		if (this.atWork) {
			this.atWork = false;
			this.outages.end();
		}
	}

	private void rest(RelayWorker worker) throws InterruptedException {
		if (this.context.isStopping()) {
			return;
		}
		long nanos = this.context.settings().pollInterval().toNanos();
		long jittered = (long) (nanos * ThreadLocalRandom.current().nextDouble(1.0, 1.2));
		Duration rest = Duration.ofNanos(Math.min(jittered, giveBack(worker).toNanos()));
		boolean signalled = this.signal.await(rest, this::isCalledOff);
		if (signalled && !isCalledOff()) {
			this.context.listener().woken();
		}
	}

	// Whether nothing more is to be claimed, for now or for ever
	private boolean isCalledOff() {
		return this.context.isStopping() || this.gate.isClosed();
	}

	@Override
	public void failed(RelayWorker worker, Throwable failure) throws InterruptedException {
		say(failure);
		leaveWork();
		giveBack(worker);
		this.failures++;
		worker.activity().has(WorkerState.WAITING);
		this.context.waitOut(this.context.settings().outage().delay(this.failures));
		worker.activity().has(WorkerState.IDLE);
	}

	private void say(Throwable failure) {
		if (!WorkFailure.of(failure).isOutage()) {
			this.outages.failed(failure, this.begunAt);
		}
		else if (!this.context.isStopping()) {
			this.outages.lost(failure, this.begunAt);
		}
	}

	// What the store keeps from one claim for the next is not kept while the worker waits
	private Duration giveBack(RelayWorker worker) {
		this.begunAt = this.outages.begin();
		try {
			return worker.giveBack();
		}
		catch (RuntimeException | Error ex) {
			// The next claim proves whether the store works again
			this.failures++;
			say(ex);
			return Claims.UNTIL_TOLD;
		}
		finally {
			this.outages.end();
		}
	}

}
