package io.orderedoutbox.store;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * When the workers of an instance go on a {@link Tour}: one of them at a time, and none
 * for a while after one that came round and saw nothing that was due. That rest lasts
 * four times as long as the tour took, so that tours in vain take a fifth of the time of
 * one worker, but {@value #LONGEST_REST_SECONDS} seconds at most. What has come since the
 * tour began needs no other one: it lies behind all that the tour has seen.
 * <p>
 * A tour that came upon something that is in somebody's hands was not in vain: behind it
 * there may be more of its key, anywhere.
 */
final class Tours {

	static final long LONGEST_REST_SECONDS = 4;

	// A tour may take a fifth of the time
	private static final int REST = 4;

	private static final long LONGEST_REST = Duration.ofSeconds(LONGEST_REST_SECONDS).toNanos();

	private static final long INTERVAL = Duration.ofSeconds(1).toNanos();

	private final boolean restless;

	private final LongSupplier clock;

	private final AtomicBoolean busy = new AtomicBoolean();

	private final AtomicLong lastEnd;

	private volatile long begunAt;

	private volatile long restUntil;

	private volatile long unseen;

	private volatile boolean wanted;

	/**
	 * Create it.
	 * @param restless whether everybody goes whenever he wants to
	 * @param clock what {@link System#nanoTime} tells
	 */
	Tours(boolean restless, LongSupplier clock) {
		this.restless = restless;
		this.clock = clock;
		this.restUntil = clock.getAsLong();
		this.lastEnd = new AtomicLong(this.restUntil - INTERVAL);
	}

	/**
	 * Whether a tour could begin now.
	 */
	boolean isOpen() {
		return this.restless || (!this.busy.get() && this.clock.getAsLong() - this.restUntil >= 0);
	}

	/**
	 * Begin a tour, if it may. Whoever has begun one must end it.
	 * @return whether it has begun
	 */
	boolean begin() {
		boolean begins = isOpen() && setOut();
		if (begins) {
			this.begunAt = this.clock.getAsLong();
		}
		else {
			this.wanted = true;
		}
		return begins;
	}

	private boolean setOut() {
		// Before somebody else may be turned away: he must not be forgotten
		this.wanted = false;
		return this.restless || this.busy.compareAndSet(false, true);
	}

	/**
	 * The same, unless the last tour has ended within a second.
	 */
	boolean beginNowAndThen() {
		long last = this.lastEnd.get();
		long now = this.clock.getAsLong();
		return now - last >= INTERVAL && this.lastEnd.compareAndSet(last, now) && begin();
	}

	/**
	 * A tour is over, or given up.
	 * @param unseen the first position that it has not seen, if nothing before it was
	 * due; otherwise zero
	 */
	void end(long unseen) {
		long now = this.clock.getAsLong();
		if (!this.restless) {
			this.unseen = unseen;
			this.restUntil = (unseen > 0) ? now + Math.min(REST * (now - this.begunAt), LONGEST_REST) : now;
		}
		this.lastEnd.set(now);
		this.busy.set(false);
	}

	/**
	 * The first position that the last tour has not seen, zero if there is something due
	 * before it.
	 */
	long unseen() {
		return this.unseen;
	}

	/**
	 * Whether somebody wanted to go on a tour while the last one was under way.
	 */
	boolean isWanted() {
		return this.wanted;
	}

}
