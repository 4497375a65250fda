package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Claims heads that a window does not show, on a {@link Tour}: where it shows too little
 * that can be claimed, and now and then where a few keys fill it, or others have most of
 * it in their hands.
 */
final class Elsewhere {

	private final ClaimSettings settings;

	private final Scan scan;

	private final Heads heads;

	private final Dealer dealer;

	private List<Candidate> inHand = List.of();

	Elsewhere(ClaimSettings settings, Scan scan, Heads heads, Dealer dealer) {
		this.settings = settings;
		this.scan = scan;
		this.heads = heads;
		this.dealer = dealer;
	}

	/**
	 * What is claimed, with what is found elsewhere.
	 * @param owned of the window
	 * @param contested whether others have most of the window
	 */
	List<Candidate> with(List<Candidate> owned, Window window, JdbcClaim claim, boolean contested) {
		Tours tours = this.scan.tours();
		boolean enough = this.settings.isEnough(owned);
		List<Candidate> all = new ArrayList<>(owned);
		if (!enough && window.whole() && isHidingSomething(window, owned)
				&& (contested ? tours.beginNowAndThen() : tours.begin())) {
			List<Candidate> elsewhere = own(claim, window);
			moveMark(window, elsewhere);
			all.addAll(elsewhere);
		}
		else if (enough && window.full() && this.settings.isOfFewKeys(owned) && tours.beginNowAndThen()) {
			all.addAll(0, own(claim, window));
		}
		return all;
	}

	// The next window begins with what was found behind this one
	private void moveMark(Window window, List<Candidate> elsewhere) {
		long next = elsewhere.stream().mapToLong((run) -> run.head().id()).min().orElse(0);
		if (window.full() && next > window.lastId()) {
			this.scan.mark().set(next);
		}
	}

	// Below its mark there may be something that has become due
	private static boolean isHidingSomething(Window window, List<Candidate> owned) {
		return window.full() || (owned.isEmpty() && !window.fromStart());
	}

	/**
	 * A claim is over.
	 * @return what was found for it
	 */
	List<Candidate> over() {
		List<Candidate> found = this.inHand;
		this.inHand = List.of();
		return found;
	}

	private List<Candidate> own(JdbcClaim claim, Window window) {
		List<Candidate> owned = new ArrayList<>();
		long unseen = 0;
		try {
			Tour tour = this.scan.tour(window);
			do {
				List<Candidate> heads = tour.nextPage()
					.stream()
					.filter(Row::due)
					.map((row) -> new Candidate(List.of(row)))
					.toList();
				List<Candidate> locked = lock(claim, heads);
				owned.addAll(this.heads.verified(locked, claim, window.seenAt(), Long.MAX_VALUE));
			}
			while (owned.isEmpty() && !tour.isOver());
			unseen = tour.unseen();
			return owned;
		}
		finally {
			this.scan.tours().end(unseen);
		}
	}

	private List<Candidate> lock(JdbcClaim claim, List<Candidate> heads) {
		List<Candidate> before = this.inHand;
		List<Candidate> free = this.dealer.take(heads);
		this.inHand = Candidate.both(before, free);
		List<Candidate> locked = this.heads.lock(claim, free);
		this.inHand = Candidate.both(before, locked);
		this.dealer.release(Candidate.without(free, locked));
		return locked;
	}

}
