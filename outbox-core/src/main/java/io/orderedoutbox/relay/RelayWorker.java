/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.orderedoutbox.relay.RelayStatus.WorkerState;
import io.orderedoutbox.relay.batch.Dispatch;
import io.orderedoutbox.relay.batch.OpenBatch;
import io.orderedoutbox.relay.batch.Portion;
import io.orderedoutbox.relay.batch.RelayBatch;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.KeySequence;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread of a relay: claim, send, complete, again and again. What the worker does
 * when there is nothing to do, and when something fails, is left to its
 * {@link WorkerPolicy}.
 */
final class RelayWorker implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(RelayWorker.class);

	private final Claims claims;

	private final RelayContext context;

	private final WorkerPolicy policy;

	private final WorkerActivity activity;

	private final InterruptibleWork interruptible;

	RelayWorker(int number, Claims claims, RelayContext context, WorkerPolicy policy) {
		this.claims = claims;
		this.context = context;
		this.policy = policy;
		this.activity = new WorkerActivity(number);
		this.interruptible = new InterruptibleWork(context::isStopping);
	}

	@Override
	public void run() {
		try {
			this.activity.has(WorkerState.IDLE);
			while (this.policy.awaitTurn(this)) {
				work();
			}
		}
		catch (InterruptedException ex) {
			logger.debug("A relay worker was interrupted and ends");
			this.policy.interrupted();
		}
		finally {
			this.claims.end();
			this.activity.has(WorkerState.STOPPED);
		}
	}

	private void work() throws InterruptedException {
		try {
			if (hasAwaitedSearch()) {
				return;
			}
			EndedBatch batch = this.policy.begin(this) ? relayBatch() : null;
			if (batch != null) {
				this.policy.ended(this, batch);
			}
			else {
				this.policy.nothingFound(this);
			}
		}
		catch (RuntimeException | Error ex) {
			this.policy.failed(this, ex);
		}
	}

	// This worker could not send what it claims meanwhile, and no other worker could
	// claim it. A pause or the end may have come since it had its turn
	private boolean hasAwaitedSearch() {
		if (!this.context.breakers().isSearchOfAnother()) {
			return false;
		}
		giveBack();
		this.interruptible.run(() -> {
			this.context.breakers().awaitSearch();
			return null;
		});
		return true;
	}

	private @Nullable EndedBatch relayBatch() {
		LongSupplier clock = this.context.clock();
		long beganAt = clock.getAsLong();
		try (Claim claim = this.interruptible.run(this.claims::next)) {
			Claim allotted = (claim != null) ? granted(claim) : null;
			Claim granted = (allotted != null) ? this.context.rehearsals().sendable(allotted) : null;
			if (granted == null) {
				this.context.listener().nothingFound();
				return null;
			}
			if (granted.moreIsWaiting()) {
				this.policy.wakeAnother();
			}
			this.activity.hasTaken(granted.sequences().size());
			Dispatch dispatch = new Dispatch(granted, this.context.settings(), this.context.breakers(),
					this.policy::isOver, clock, beganAt);
			OpenBatch open = new OpenBatch(granted, beganAt, clock);
			RelayBatch batch = open.relay(this.activity.number(), dispatch, this.context.sender(), this::tell);
			if (open.isRefused()) {
				this.context.rehearsals().refused(granted);
			}
			RuntimeException failure = (dispatch.outage() != null) ? dispatch.outage() : open.refusal();
			return new EndedBatch(batch, failure, isMore(dispatch, granted));
		}
	}

	private static boolean isMore(Dispatch dispatch, Claim claim) {
		return dispatch.hasResults() || dispatch.hasYielded() || claim.moreIsWaiting();
	}

	private @Nullable Claim granted(Claim claim) {
		int messages = KeySequence.count(claim.sequences());
		int granted = this.policy.grant(messages);
		if (granted == messages) {
			return claim;
		}
		return (granted > 0) ? Portion.of(claim, granted) : null;
	}

	private void tell(RelayBatch batch) {
		this.activity.hasEndedBatch();
		this.context.listener().batchEnded(batch);
	}

	/**
	 * The worker does not claim again at once: the store gets back what it has kept for
	 * the next claim.
	 * @return how long the worker may rest
	 */
	Duration giveBack() {
		return this.claims.rest();
	}

	/**
	 * Ask whether the broker can be reached.
	 * @throws TransportException if not
	 */
	void requireBroker() {
		this.interruptible.run(() -> {
			this.context.sender().withChannel((channel) -> {
			});
			return null;
		});
	}

	/**
	 * What the worker lets others see of itself.
	 */
	WorkerActivity activity() {
		return this.activity;
	}

	/**
	 * End a wait for a connection, which can be long while a server is away. Messages in
	 * flight are left alone. Any thread may call this, when the relay is told to stop.
	 */
	void interruptUnlessSending() {
		this.interruptible.interrupt();
	}

}
