/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.orderedoutbox.store.Claim;

/**
 * Asks the store now and then whether a claim still stands. A worker that was away for
 * longer than the interval, because its process or its network was stopped, asks before
 * it sends another message: another worker may own the keys.
 */
final class Lease {

	private final Claim claim;

	private final long interval;

	private final LongSupplier clock;

	private boolean lost;

	private long renewedAt;

	/**
	 * Create a lease.
	 * @param askedAt when the worker asked for the claim: what was away may have been the
	 * worker between the claim and the first message
	 */
	Lease(Claim claim, Duration interval, LongSupplier clock, long askedAt) {
		this.claim = claim;
		this.interval = interval.toNanos();
		this.clock = clock;
		this.renewedAt = askedAt;
	}

	/**
	 * Whether the claim stands, as far as is known from an answer that is not too old.
	 */
	boolean stands() {
		// Once more if the answer took longer than it is good for; no more, because a
		// database can be as slow as that all the time
		for (int question = 0; question < 2 && !this.lost && isDue(); question++) {
			renew();
		}
		return !this.lost;
	}

	/**
	 * Whether the store has to be asked before anything else is sent.
	 */
	boolean isDue() {
		return this.clock.getAsLong() - this.renewedAt > this.interval;
	}

	void renew() {
		// An answer is as old as its question: this process may have been stopped in
		// between
		long askedAt = this.clock.getAsLong();
		this.lost = this.lost || !this.claim.renew();
		this.renewedAt = askedAt;
	}

	boolean isLost() {
		return this.lost;
	}

}
