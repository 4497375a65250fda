package io.orderedoutbox.store;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Deals out what one look has shown to the workers of an instance.
 * <p>
 * One look serves several claims. Each gets a portion: as much as it takes if it gets the
 * locks on all of it, and more where other instances hold much. A head seen a moment ago
 * is still the head of its key as long as it exists, because later commits have later
 * positions; one that is gone or held by somebody else cannot be locked. So it costs time
 * if what is dealt is out of date, but never order.
 */
final class Dealer {

	private static final long MAX_AGE = Duration.ofSeconds(1).toNanos();

	private static final int MOST_BATCHES = 8;

	private final Scan scan;

	private final int batchSize;

	private @Nullable Window rest;

	private long lookedAt;

	private int batches = 1;

	private long lastTour = System.nanoTime() - MAX_AGE;

	// Heads in the hands of our own workers
	private final Set<Long> dealt = new HashSet<>();

	Dealer(Scan scan, int batchSize) {
		this.scan = scan;
		this.batchSize = batchSize;
	}

	/**
	 * The next portion. No candidates in a window that is not full mean that there is
	 * nothing to claim.
	 */
	synchronized Window deal() {
		Window window = this.rest;
		if (window == null || System.nanoTime() - this.lookedAt > MAX_AGE) {
			window = this.scan.look((run) -> this.dealt.contains(run.head().id()));
			this.lookedAt = System.nanoTime();
		}
		Window portion = window.portion(this.batchSize * this.batches);
		Window left = window.without(portion.candidates().size());
		// Too little for a claim is looked at again, with what has come since
		this.rest = (Candidate.messages(left.candidates()) * 2 >= this.batchSize) ? left : null;
		this.dealt.addAll(Candidate.heads(portion.candidates()));
		return portion;
	}

	/**
	 * What of a portion could be locked: the next one is larger or smaller for it. The
	 * others are in nobody's hands.
	 */
	synchronized void settle(Window portion, List<Candidate> locked) {
		int wanted = Math.min(Candidate.messages(portion.candidates()), this.batchSize);
		boolean contested = Candidate.messages(locked) * 2 < wanted;
		this.batches = contested ? Math.min(this.batches * 2, MOST_BATCHES) : Math.max(this.batches / 2, 1);
		release(portion.candidates());
		this.dealt.addAll(Candidate.heads(locked));
	}

	/**
	 * Whether to look for other keys elsewhere although there is enough of few: now and
	 * then.
	 */
	synchronized boolean isTourDue() {
		boolean due = System.nanoTime() - this.lastTour >= MAX_AGE;
		if (due) {
			this.lastTour = System.nanoTime();
		}
		return due;
	}

	/**
	 * The heads of these runs are gone, or can be claimed again.
	 */
	synchronized void release(Collection<Candidate> runs) {
		Candidate.heads(runs).forEach(this.dealt::remove);
	}

}
