package io.orderedoutbox.store;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Finds and reads what a worker goes on with while the database still deletes its last
 * claim.
 * <ol>
 * <li>Only where all that a claim took of its window, half a batch and more, is of one
 * key: nobody else has anything of it to do, and nothing is sent until the next claim is
 * there.</li>
 * <li>When all of it is published, {@link Following what follows} can be found and read
 * by another thread, on a connection of its own.</li>
 * <li>The next claim takes that as it takes any portion: it locks and verifies the
 * head.</li>
 * <li>What was read is used if it was read on the server that has the lock, and nobody
 * can have touched it before: all of it is still there, and nothing behind the head is on
 * the list of what has failed. Otherwise it is read again.</li>
 * <li>What is not there in time is not used, nor is what was there, with its claim
 * completed, for a second: the worker looks at the oldest messages.</li>
 * </ol>
 * So the order rests on the same lock as ever.
 * <p>
 * Used by one thread at a time. Whoever reads ahead has the {@link Following} for himself
 * until he is ready, and keeps it if he is late.
 */
final class ReadAhead {

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final LongSupplier clock;

	private Following following;

	private @Nullable Reading reading;

	private boolean underWay;

	private long completedAt;

	private @Nullable Found found;

	ReadAhead(OutboxDatabase database, ClaimSettings settings, LongSupplier clock) {
		this.database = database;
		this.settings = settings;
		this.clock = clock;
		this.following = new Following(database, settings, clock);
	}

	/**
	 * A claim is about to be completed.
	 * @param portion that it was taken from
	 * @param claimed the runs in it that were locked, each from the head of its key on
	 * @param runs what was sent
	 * @param published what will be gone of it
	 * @return what can be done meanwhile
	 */
	@Nullable Runnable preparation(Window portion, List<Candidate> claimed, List<Run> runs, Collection<Long> published) {
		Set<Long> ids = Set.copyOf(published);
		boolean all = ids.size() == Run.count(runs);
		boolean ofOneKey = claimed.size() == 1 && claimed.get(0).isBound(this.settings);
		if (!all || !ofOneKey || !portion.full() || !this.settings.isEnough(claimed)) {
			return null;
		}
		this.following.completed(portion, claimed, published);
		Reading next = new Reading(this.following, ids);
		this.reading = next;
		this.underWay = true;
		return next;
	}

	/**
	 * The claim is completed.
	 */
	void completed(Window portion, List<Candidate> claimed, Collection<Long> published) {
		this.completedAt = this.clock.getAsLong();
		if (this.reading != null && !this.reading.behind.equals(Set.copyOf(published))) {
			// Somebody has decided otherwise since
			forget();
		}
		if (this.reading == null) {
			this.following.completed(portion, claimed, published);
		}
	}

	/**
	 * Whether somebody may be reading for the next claim, on a connection of its own.
	 */
	boolean isUnderWay() {
		return this.underWay;
	}

	/**
	 * By the time that somebody goes on it may be in the hands of others.
	 */
	void forget() {
		this.reading = null;
		this.found = null;
		this.following = new Following(this.database, this.settings, this.clock);
	}

	/**
	 * What follows, or null if it is time to look at the oldest messages.
	 */
	@Nullable Window next() {
		this.underWay = false;
		this.found = null;
		Reading last = this.reading;
		if (last == null) {
			return this.following.next();
		}
		Found next = last.found;
		long now = this.clock.getAsLong();
		if (next == null || (Window.isOld(this.completedAt, now) && Window.isOld(last.foundAt, now))) {
			forget();
			return null;
		}
		this.reading = null;
		this.found = next;
		return next.window();
	}

	/**
	 * Whether what follows was looked for further on.
	 */
	boolean isFurther() {
		return this.following.isFurther();
	}

	/**
	 * What was read of these runs, which the claim has locked, need not be read again.
	 */
	void handOver(List<Candidate> runs, JdbcClaim claim) {
		Found known = this.found;
		this.found = null;
		if (known != null && known.server().equals(claim.server())) {
			runs.stream().filter(known.rows()::isOf).forEach((run) -> claim.rows().takeOver(run, known.rows()));
		}
	}

	private Found read(Window window) {
		List<Candidate> runs = Candidate.cut(window.candidates(), this.settings);
		OutboxStatements statements = this.database.statements();
		return this.database.read(this.settings.lockTimeout(), (jdbc) -> {
			ClaimIdentity reader = jdbc.queryForObject(statements.identify, ClaimIdentity.MAPPER);
			ClaimedRows rows = new ClaimedRows(jdbc, statements);
			rows.load(runs);
			return new Found(window, rows, Objects.requireNonNull(reader).server());
		});
	}

	/**
	 * What follows when some messages are gone, looked for once.
	 */
	private final class Reading implements Runnable {

		private final Following following;

		private final Set<Long> behind;

		// Written before what was found, and read after it
		private long foundAt;

		private volatile @Nullable Found found;

		Reading(Following following, Set<Long> behind) {
			this.following = following;
			this.behind = behind;
		}

		@Override
		public void run() {
			Window window = this.following.next();
			Found next = (window != null) ? read(window) : null;
			this.foundAt = ReadAhead.this.clock.getAsLong();
			this.found = next;
		}

	}

	/**
	 * What was found, and read of it.
	 */
	private record Found(Window window, ClaimedRows rows, String server) {

	}

}
