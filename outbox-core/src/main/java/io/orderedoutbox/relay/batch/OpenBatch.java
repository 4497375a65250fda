/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.orderedoutbox.relay.batch.RelayBatch.Durations;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.KeySequence;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;

/**
 * A batch from its claim to what came of it, and how long each part takes.
 */
public final class OpenBatch {

	private final Claim claim;

	private final long beganAt;

	private final LongSupplier clock;

	private final long claimedAt;

	private @Nullable Long sentAt;

	private boolean completed;

	private @Nullable DataAccessException refusal;

	/**
	 * Create a batch that was claimed and is not settled.
	 * @param claim what was claimed
	 * @param beganAt when the claim began, by the clock
	 * @param clock monotonic time in nanoseconds
	 */
	public OpenBatch(Claim claim, long beganAt, LongSupplier clock) {
		this.claim = claim;
		this.beganAt = beganAt;
		this.clock = clock;
		this.claimedAt = clock.getAsLong();
	}

	private int messages() {
		return KeySequence.count(this.claim.sequences());
	}

	/**
	 * Send a batch, complete it, and tell what came of it, however it ends.
	 * @param number of the worker
	 */
	public RelayBatch relay(int number, Dispatch dispatch, MessageSender sender, Consumer<RelayBatch> listener) {
		RelayBatch ended;
		try {
			BatchCompletion completion = new BatchCompletion(this.claim, dispatch.results());
			dispatch.through(sender, completion::suspend);
			this.sentAt = this.clock.getAsLong();
			this.completed = complete(dispatch, completion);
		}
		finally {
			ended = end(number, dispatch.results());
			listener.accept(ended);
		}
		return ended;
	}

	private boolean complete(Dispatch dispatch, BatchCompletion completion) {
		if (dispatch.isClaimLost()) {
			// Without a pause, a batch would be repeated for as long as claims are lost
			this.refusal = new TransientDataAccessResourceException(
					"The connection to the database was lost, and the claim with it, while messages were sent: another claim sends them again");
			return false;
		}
		this.refusal = completion.complete();
		dispatch.results().log();
		return true;
	}

	/**
	 * Why the store did not complete all messages of the batch, null if it did.
	 */
	public @Nullable DataAccessException refusal() {
		return this.refusal;
	}

	/**
	 * Whether the store has refused to complete messages, and its claim stood.
	 */
	public boolean isRefused() {
		return this.completed && this.refusal != null;
	}

	private RelayBatch end(int worker, Results results) {
		long now = this.clock.getAsLong();
		long sent = (this.sentAt != null) ? this.sentAt : now;
		return new RelayBatch(worker, this.claim.sequences().size(), messages(), results.confirmed(),
				results.failures(), !this.completed, new Durations(Duration.ofNanos(this.claimedAt - this.beganAt),
						Duration.ofNanos(sent - this.claimedAt), Duration.ofNanos(now - sent)),
				this.claim.time());
	}

}
