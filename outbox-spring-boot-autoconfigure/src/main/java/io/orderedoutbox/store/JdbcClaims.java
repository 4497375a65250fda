package io.orderedoutbox.store;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.TransientDataAccessResourceException;

/**
 * Claims messages by locking the heads of their partition keys, in one transaction for
 * each batch, at READ COMMITTED.
 * <ol>
 * <li>While other instances have most of what there is in their hands, leave it to a
 * colleague, if one is at work: see {@link Contention}. Who finds nothing begins again if
 * it was left something meanwhile.</li>
 * <li>Look at a window over the oldest messages, outside the transaction and without
 * locks, or take the next portion of one that was looked at for another claim, or what
 * {@link Following follows} in the keys of the last one, {@link ReadAhead read ahead} or
 * not. The first row of each key is its head; a key whose head is not due is passed over;
 * rows without a key are heads of their own.</li>
 * <li>Begin the transaction, in the {@link KeptSession session} of the last claim if
 * there still is one; then the look was made in it as well. On another server than that
 * of the last claim of this instance, what was looked at before is dropped.</li>
 * <li>Lock the heads that are due, skipping those that somebody else has locked. Whoever
 * holds the lock on the head of a key owns the key until the commit: for any other worker
 * the head stays the head, and stays locked, while its messages are in flight.</li>
 * <li>Verify, in a new statement, the heads that were not found by a window from the very
 * start: no row of the same key may be older. Whose {@link Floors floor} lies within the
 * window need not be asked about. Where snapshots are not atomic, look at the window
 * again, and keep of each run only what both looks agree on.</li>
 * <li>A head that was none is locked all the same, and whoever owns its key would wait
 * for us: give up all locks, and look again without that key.</li>
 * <li>Where too little of a full window could be locked, look elsewhere in the same way:
 * see {@link Elsewhere}.</li>
 * <li>Load the runs, except for what was read ahead and not touched since.</li>
 * </ol>
 * Why the head is the head: a writer holds the stripe of a key until its commit, so that
 * a window from the start in one snapshot is complete up to the last row it shows of that
 * key, and nothing will ever appear below its floor. Why nobody else works on the key:
 * its head still exists and we have its lock.
 */
final class JdbcClaims implements Claims {

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final Scan scan;

	private final Dealer dealer;

	private final Heads heads;

	private final Elsewhere elsewhere;

	private final ReadAhead ahead;

	private final KeptSession session;

	private List<Candidate> inHand = List.of();

	// Of the claim that is being completed, what was published or has failed
	private List<Long> settled = List.of();

	private boolean dropped;

	JdbcClaims(OutboxDatabase database, ClaimSettings settings, Scan scan, Dealer dealer) {
		this.database = database;
		this.settings = settings;
		this.scan = scan;
		this.dealer = dealer;
		this.heads = new Heads(database, settings, scan);
		this.elsewhere = new Elsewhere(settings, scan, this.heads, dealer);
		this.ahead = new ReadAhead(database, settings, scan.clock());
		this.session = new KeptSession(database, settings, scan.clock());
	}

	@Override
	public @Nullable Claim next() {
		this.dropped = false;
		try {
			this.session.resume();
			Claim claim = claimNext();
			while (claim == null && this.scan.contention().rests(this)) {
				claim = claimNext();
			}
			if (claim == null) {
				rest();
			}
			return claim;
		}
		catch (RuntimeException | Error ex) {
			this.scan.contention().rests(this);
			this.scan.floors().forget();
			rest();
			throw ex;
		}
	}

	private @Nullable Claim claimNext() {
		if (!this.scan.contention().admits(this)) {
			this.ahead.forget();
			return null;
		}
		Window portion = portion();
		if (portion.candidates().isEmpty() && !portion.whole()) {
			return claimNext();
		}
		if (portion.candidates().isEmpty() && !portion.full()) {
			return null;
		}
		this.inHand = portion.candidates();
		JdbcClaim claim = begin(portion);
		boolean again;
		try {
			again = isOutdated(portion, claim) || claim(claim, portion);
			if (!claim.runs().isEmpty()) {
				return claim;
			}
		}
		catch (RuntimeException | Error ex) {
			claim.close();
			throw ex;
		}
		claim.close();
		return again ? claimNext() : null;
	}

	@Override
	public void rest() {
		this.session.end();
	}

	@Override
	public void end() {
		this.scan.contention().rests(this);
		this.scan.serve(-1);
		rest();
	}

	private boolean isOutdated(Window portion, JdbcClaim claim) {
		this.scan.floors().askedOn(claim.server());
		if (!this.scan.floors().isOutdated(portion.seenAt())) {
			return false;
		}
		if (this.dropped) {
			throw new TransientDataAccessResourceException(
					"Claims of the outbox are made on different database servers in turn: its connections must all lead to the same one");
		}
		this.dropped = true;
		return true;
	}

	private Window portion() {
		Window own = this.ahead.next();
		return (own != null) ? this.dealer.portion(own) : this.dealer.deal(this::rest);
	}

	private JdbcClaim begin(Window portion) {
		try {
			JdbcClaim claim = JdbcClaim.begin(this.database, this.session.current());
			claim.whenOver(() -> over(claim));
			claim.whenPreparing((published) -> this.ahead.preparation(portion, this.inHand, claim.runs(), published));
			claim.whenCompleted((published, failed) -> completed(portion, published, failed));
			return claim;
		}
		catch (RuntimeException | Error ex) {
			this.dealer.giveBack(portion.candidates());
			throw ex;
		}
	}

	private void completed(Window portion, Collection<Long> published, Collection<FailedMessage> failed) {
		this.ahead.completed(portion, this.inHand, published);
		this.scan.floors().gone(portion.rows(), published, portion.seenAt());
		this.settled = Stream.concat(published.stream(), failed.stream().map(FailedMessage::id)).toList();
	}

	private void over(JdbcClaim claim) {
		this.dealer.over(Candidate.both(this.inHand, this.elsewhere.over()), this.settled);
		this.settled = List.of();
		if (claim.isGivenUp()) {
			this.ahead.forget();
			this.scan.floors().forget();
			this.scan.contention().rests(this);
		}
		// Who reads ahead may be waiting for a connection, and the next claim for that
		if (claim.isCompleted() && !this.ahead.isUnderWay()) {
			this.session.pause();
		}
		else {
			rest();
		}
	}

	// Whether another portion may be worth trying
	private boolean claim(JdbcClaim claim, Window portion) {
		List<Candidate> locked = this.heads.lock(claim, portion.candidates());
		boolean contested = this.scan.contention().isFound(portion, locked);
		this.dealer.settle(portion, locked);
		this.inHand = locked;
		List<Candidate> owned = this.heads.among(locked, claim, portion);
		boolean mistaken = owned.size() < locked.size();
		if (mistaken) {
			this.scan.passOver(Candidate.without(locked, owned));
		}
		else {
			fill(claim, owned, portion, contested);
		}
		return mistaken || !portion.whole();
	}

	private void fill(JdbcClaim claim, List<Candidate> owned, Window portion, boolean contested) {
		boolean enough = this.settings.isEnough(owned);
		if (portion.whole() || (enough && !this.ahead.isFurther())) {
			this.scan.adapt(portion, owned);
		}
		List<Candidate> all = this.elsewhere.with(owned, portion, claim, contested);
		if (!all.isEmpty()) {
			List<Candidate> taken = Candidate.cut(all, this.settings);
			this.ahead.handOver(taken, claim);
			boolean othersWait = all.size() > owned.size() && this.scan.tours().isWanted();
			claim.take(taken, othersWait || isMoreForOthers(portion, owned, taken));
		}
	}

	// What waits behind the few keys of a claim is not for others, as long as it lasts,
	// nor is what other instances have in their hands
	private boolean isMoreForOthers(Window portion, List<Candidate> owned, List<Candidate> taken) {
		if (this.scan.contention().isPresent()) {
			return false;
		}
		boolean left = portion.candidates().size() > taken.size() || this.dealer.hasMore();
		return left || (portion.full() && !this.settings.isOfFewKeys(owned));
	}

}
