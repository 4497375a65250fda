package io.orderedoutbox.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Keeps workers of an instance back while other instances have most of what there is.
 * <p>
 * A deep backlog of few keys can be divided among many workers only in small parts: each
 * has some of the keys, in long runs, with all others in between, and its messages leave
 * in small groups. That costs database and broker more than fewer workers with more keys
 * each; what bounds them is how many keys there are. So where a worker has found most of
 * what it tried in the hands of other instances, the workers of its own rest when they
 * come to their next claim, all but the last. That is over a second after it was last
 * found. Who has not come back for a second keeps nobody back: where broker or database
 * are slow, all work.
 * <p>
 * What was tried is what is oldest. Of many keys that come in bursts it may look like few
 * keys, until the window has moved on. One key or two that others have in their hands say
 * nothing of what is behind them.
 */
final class Contention {

	static final long LASTS = Duration.ofSeconds(1).toNanos();

	private static final int DEEP = 4;

	private final ClaimSettings settings;

	private final boolean ignored;

	private final LongSupplier clock;

	private final Map<Claims, Long> working = new HashMap<>();

	private boolean turnedAway;

	private volatile long until;

	/**
	 * Create it.
	 * @param ignored whether nobody is kept back
	 * @param clock what {@link System#nanoTime} tells
	 */
	Contention(ClaimSettings settings, boolean ignored, LongSupplier clock) {
		this.settings = settings;
		this.ignored = ignored;
		this.clock = clock;
		this.until = clock.getAsLong();
	}

	/**
	 * Note what of a portion could be locked.
	 * @return whether others have most of what was tried, and it would have been enough
	 */
	boolean isFound(Window portion, List<Candidate> locked) {
		List<Candidate> tried = Candidate.tried(portion.candidates(), locked, this.settings);
		int messages = Candidate.messages(tried);
		boolean found = !this.ignored && portion.full() && this.settings.isEnough(tried)
				&& messages > 2 * Candidate.messages(locked) && messages >= DEEP * tried.size()
				&& !this.settings.isOfFewKeys(tried);
		if (found) {
			this.until = this.clock.getAsLong() + LASTS;
		}
		return found;
	}

	/**
	 * Whether it was found lately.
	 */
	boolean isPresent() {
		return this.clock.getAsLong() - this.until < 0;
	}

	/**
	 * Whether a worker may claim something. Whoever may works until it rests, and looks
	 * at what has come until now.
	 */
	synchronized boolean admits(Claims worker) {
		long now = this.clock.getAsLong();
		boolean alone = this.working.entrySet()
			.stream()
			.noneMatch((other) -> other.getKey() != worker && now - other.getValue() < LASTS);
		if (alone || !isPresent()) {
			this.working.put(worker, now);
			this.turnedAway = false;
			return true;
		}
		this.working.remove(worker);
		this.turnedAway = true;
		return false;
	}

	/**
	 * A worker has found nothing, has given up what it had, or ends.
	 * @return whether it worked, and somebody has been turned away meanwhile who may have
	 * known of more
	 */
	synchronized boolean rests(Claims worker) {
		return this.working.remove(worker) != null && this.turnedAway;
	}

}
