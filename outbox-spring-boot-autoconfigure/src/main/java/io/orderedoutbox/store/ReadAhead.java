package io.orderedoutbox.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Finds and reads what a worker goes on with while the database still deletes its last
 * claim.
 * <ol>
 * <li>Only where one key fills a claim: nobody else of the instance has anything of it to
 * do, and nothing is sent until the next claim is there.</li>
 * <li>When all of it is published, {@link Following what follows} can be found and read
 * by another thread, on a connection of its own.</li>
 * <li>The next claim takes that as it takes any portion: it locks and verifies the
 * head.</li>
 * <li>What was read is used if nobody has touched it before the lock: all of it is still
 * there, and nothing of it has failed. Otherwise it is read again.</li>
 * <li>What is not there in time, or is there for a second already, is not used: the
 * worker looks at the oldest messages.</li>
 * </ol>
 * So the order rests on the same lock as ever.
 * <p>
 * Used by one thread at a time. Whoever reads ahead has the {@link Following} for himself
 * until he is ready, and keeps it if he is late.
 */
final class ReadAhead {

	private static final long MAX_AGE = Duration.ofSeconds(1).toNanos();

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private Following following;

	private @Nullable Reading reading;

	private @Nullable ClaimedRows read;

	ReadAhead(OutboxDatabase database, ClaimSettings settings) {
		this.database = database;
		this.settings = settings;
		this.following = new Following(database, settings);
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
		int sent = runs.stream().mapToInt((run) -> run.messages().size()).sum();
		boolean all = Set.copyOf(published).size() == sent;
		boolean ofOneKey = claimed.size() == 1 && claimed.get(0).isBound(this.settings);
		if (all && ofOneKey && portion.full() && this.settings.isEnough(claimed)) {
			this.following.completed(portion, claimed, published);
			this.reading = new Reading(this.following);
		}
		return this.reading;
	}

	/**
	 * The claim is completed.
	 */
	void completed(Window portion, List<Candidate> claimed, Collection<Long> published) {
		if (this.reading == null) {
			this.following.completed(portion, claimed, published);
		}
	}

	/**
	 * By the time that somebody goes on it may be in the hands of others.
	 */
	void forget() {
		this.reading = null;
		this.following = new Following(this.database, this.settings);
	}

	/**
	 * What follows, or null if it is time to look at the oldest messages.
	 */
	@Nullable Window next() {
		this.read = null;
		Reading last = this.reading;
		if (last == null) {
			return this.following.next();
		}
		Found found = last.found();
		if (found == null) {
			forget();
			return null;
		}
		this.reading = null;
		this.read = found.rows();
		return found.window();
	}

	/**
	 * Whether what follows was looked for further on.
	 */
	boolean isFurther() {
		return this.following.isFurther();
	}

	/**
	 * What was read of these runs, which are locked now, need not be read again.
	 */
	void handOver(List<Candidate> runs, ClaimedRows rows) {
		ClaimedRows known = this.read;
		if (known != null) {
			runs.stream().filter(known::isOf).forEach((run) -> rows.takeOver(run, known));
		}
	}

	private Found read(Window window) {
		List<Candidate> runs = Candidate.cut(window.candidates(), this.settings);
		return this.database.read(this.settings.lockTimeout(), (jdbc) -> {
			ClaimedRows rows = new ClaimedRows(jdbc, this.database.statements());
			rows.load(runs);
			return new Found(window, rows);
		});
	}

	/**
	 * What follows a claim, looked for once.
	 */
	private final class Reading implements Runnable {

		private final Following following;

		private final long since = System.nanoTime();

		private volatile @Nullable Found found;

		Reading(Following following) {
			this.following = following;
		}

		@Override
		public void run() {
			Window window = this.following.next();
			this.found = (window != null) ? read(window) : null;
		}

		@Nullable Found found() {
			return (System.nanoTime() - this.since < MAX_AGE) ? this.found : null;
		}

	}

	/**
	 * What was found, and read of it.
	 */
	private record Found(Window window, ClaimedRows rows) {

	}

}
