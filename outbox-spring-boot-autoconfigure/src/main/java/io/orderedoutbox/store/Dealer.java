package io.orderedoutbox.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Deals out what one look has shown to the workers of an instance.
 * <p>
 * One look serves several claims. Each gets a portion: as much as it takes if it gets the
 * locks on all of it, and more where other instances hold much. A head seen a moment ago
 * is still the head of its key as long as it exists, because later commits have later
 * positions; one that is gone or held by somebody else cannot be locked. So it costs time
 * if what is dealt is out of date, but never order, as long as it was seen on the server
 * that has the locks.
 */
final class Dealer {

	// As many as the largest window has: whoever gets no lock in all of it looks
	// elsewhere
	private static final int MOST_BATCHES = Scan.LONGEST_LOOK_AHEAD * Scan.MAX_GROWTH;

	private final Scan scan;

	private final ClaimSettings settings;

	// Nobody who has a connection waits for it: whoever looks may have to wait for one
	private final ReentrantLock looking = new ReentrantLock();

	private @Nullable Window rest;

	private volatile boolean more;

	private volatile int batches = 1;

	// Without an order marks move on with each look: the first position to see again
	private final AtomicLong comeBack = new AtomicLong(Long.MAX_VALUE);

	// Heads in the hands of our own workers
	private final Set<Long> dealt = ConcurrentHashMap.newKeySet();

	Dealer(Scan scan, ClaimSettings settings) {
		this.scan = scan;
		this.settings = settings;
	}

	/**
	 * The next portion. No candidates in a whole window that is not full mean that there
	 * is nothing to claim.
	 * @param beforeWaiting what is done before a colleague is waited for
	 */
	Window deal(Runnable beforeWaiting) {
		if (!this.looking.tryLock()) {
			beforeWaiting.run();
			this.looking.lock();
		}
		try {
			Window window = this.rest;
			this.rest = null;
			if (window != null && (window.isOld(this.scan.clock().getAsLong())
					|| this.scan.floors().isOutdated(window.seenAt()))) {
				comeBackTo(window.candidates());
				window = null;
			}
			if (window == null) {
				window = look();
			}
			Window portion = first(window);
			Window left = window.without(portion.candidates().size());
			this.more = !left.candidates().isEmpty();
			if (this.settings.isEnough(left.candidates())) {
				this.rest = left;
			}
			else {
				// Too little for a claim is looked at again, with what has come since
				comeBackTo(left.candidates());
			}
			return free(portion);
		}
		finally {
			this.looking.unlock();
		}
	}

	private Window look() {
		// First: what is given back from now on is for the next look
		long first = this.comeBack.getAndSet(Long.MAX_VALUE);
		this.scan.mark().accumulateAndGet(first, Math::min);
		// What is completed during the look may still be shown
		Set<Long> before = Set.copyOf(this.dealt);
		return this.scan.look((run) -> before.contains(run.head().id()) || this.dealt.contains(run.head().id()));
	}

	private void comeBackTo(Collection<Candidate> runs) {
		if (!this.settings.ordered()) {
			runs.forEach((run) -> this.comeBack.accumulateAndGet(run.head().id(), Math::min));
		}
	}

	/**
	 * Whether there was more than was dealt out.
	 */
	boolean hasMore() {
		return this.more;
	}

	/**
	 * Of a window that somebody has for himself, because it follows what he has
	 * completed. What is in the hands of a colleague meanwhile is not in it.
	 */
	Window portion(Window window) {
		return free(first(window));
	}

	/**
	 * Of heads that were found in another way, those that no colleague has in his hands.
	 * The others are in those of who asks.
	 */
	List<Candidate> take(List<Candidate> heads) {
		return heads.stream().filter((run) -> this.dealt.add(run.head().id())).toList();
	}

	private Window first(Window window) {
		return window.portion(this.settings.batchSize() * this.batches);
	}

	// Nobody else of this instance deals them out from now on
	private Window free(Window portion) {
		List<Candidate> free = take(portion.candidates());
		return (free.size() < portion.candidates().size()) ? portion.with(free) : portion;
	}

	/**
	 * What of a portion could be locked: the next one is larger or smaller for it. The
	 * others are in none of our hands.
	 */
	void settle(Window portion, List<Candidate> locked) {
		int wanted = Math.min(Candidate.messages(portion.candidates()), this.settings.batchSize());
		boolean contested = Candidate.messages(locked) * 2 < wanted;
		int before = this.batches;
		this.batches = contested ? Math.min(before * 2, MOST_BATCHES) : Math.max(before / 2, 1);
		List<Candidate> tried = Candidate.tried(portion.candidates(), locked, this.settings);
		release(Candidate.without(tried, locked));
		giveBack(portion.candidates().subList(tried.size(), portion.candidates().size()));
	}

	/**
	 * These runs can be claimed again. The next look begins with them, if it is not one
	 * from the very start.
	 */
	void giveBack(Collection<Candidate> runs) {
		release(runs);
		comeBackTo(runs);
	}

	/**
	 * A claim is over.
	 * @param runs that it had
	 * @param settled what of them was published or set back, and need not be looked for
	 */
	void over(List<Candidate> runs, Collection<Long> settled) {
		release(runs);
		if (!this.settings.ordered()) {
			Set<Long> ids = Set.copyOf(settled);
			comeBackTo(runs.stream().filter((run) -> !ids.contains(run.head().id())).toList());
		}
	}

	/**
	 * The heads of these runs are gone, or can be claimed again.
	 */
	void release(Collection<Candidate> runs) {
		Candidate.heads(runs).forEach(this.dealt::remove);
	}

}
