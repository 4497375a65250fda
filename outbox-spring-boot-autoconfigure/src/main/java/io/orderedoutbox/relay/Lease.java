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
		return System.nanoTime() - this.renewedAt > this.interval;
	}

	void renew() {
		// An answer is as old as its question: we may have been stopped in between
		long askedAt = System.nanoTime();
		this.lost = this.lost || !this.claim.renew();
		this.renewedAt = askedAt;
	}

	boolean isLost() {
		return this.lost;
	}

}
