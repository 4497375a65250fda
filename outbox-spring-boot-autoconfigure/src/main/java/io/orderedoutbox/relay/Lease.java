package io.orderedoutbox.relay;

import java.time.Duration;

import io.orderedoutbox.store.Claim;

/**
 * Asks the store now and then whether a claim still stands. Whoever was away for longer
 * than the interval, because its process or its network was stopped, has to ask before it
 * sends another message: somebody else may have its keys.
 */
final class Lease {

	private final Claim claim;

	private final long interval;

	private boolean lost;

	private long renewedAt = System.nanoTime();

	Lease(Claim claim, Duration interval) {
		this.claim = claim;
		this.interval = interval.toNanos();
	}

	/**
	 * Whether the claim stands, as far as is known from an answer that is not too old.
	 */
	boolean stands() {
		if (!this.lost && isDue()) {
			renew();
		}
		return !this.lost;
	}

	/**
	 * Whether the store has to be asked before anything else is sent.
	 */
	boolean isDue() {
		return System.nanoTime() - this.renewedAt > this.interval;
	}

	void renew() {
		this.lost = this.lost || !this.claim.renew();
		this.renewedAt = System.nanoTime();
	}

	boolean isLost() {
		return this.lost;
	}

}
