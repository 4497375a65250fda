package io.orderedoutbox.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The view of one instance over the oldest messages.
 * <p>
 * A window begins at a mark below which this instance has lately seen nothing to claim:
 * rows that were deleted but not yet purged make a scan from the very start slow, and
 * those that wait behind a stalled key can be many. A commit below the mark is late but
 * not lost, and what waited there and is due is not forgotten: a full look from the very
 * start finds it, as often as {@link FullLooks} says. Whoever uses heads found above a
 * mark must verify them, unless {@link Floors} knows them; keys that fail, because their
 * head waits below, are passed over until the next full look. As long as looks from the
 * very start are quick there is no mark. But where no order is kept nobody needs to see
 * what is in somebody's hands: what is behind a full window is next, unless the last full
 * look was in vain.
 * <p>
 * Where the window shows too little that can be claimed, because it is full of keys that
 * are stalled or claimed by others, the scan goes on elsewhere: a page of heads in key
 * order and a page of rows without a key, each from where the last page ended, so that in
 * the end every key is served, and once around before it finds that there is nothing. The
 * mark follows to what is found there. Once around may be long, and in vain: then the
 * {@link Tours} of this instance rest, and the mark follows to what has come meanwhile.
 * <p>
 * Used by all workers of an instance, one of which looks at a time. Nobody waits for
 * another here: who has a connection must not wait for one who needs one. What they
 * overwrite of each other decides where to look, never who owns a key.
 */
final class Scan {

	// Batches: with more than one in view, a worker takes longer runs of fewer keys and
	// leaves keys to others
	private static final int LOOK_AHEAD = 2;

	static final int LONGEST_LOOK_AHEAD = 16;

	static final int MAX_GROWTH = 3;

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final LongSupplier clock;

	private final Tours tours;

	private final Contention contention;

	private int workers;

	private volatile int lookAhead = LOOK_AHEAD;

	private volatile int size;

	private final AtomicLong mark = new AtomicLong();

	private final FullLooks fullLooks;

	private final Set<String> passedOver = ConcurrentHashMap.newKeySet();

	private final Floors floors;

	// A look from the very start may take a third of the time between two
	private final Pace pace;

	private final Ways ways;

	/**
	 * Create it.
	 * @param thorough whether whoever finds nothing must have looked through everything
	 * @param clock what {@link System#nanoTime} tells
	 */
	Scan(OutboxDatabase database, ClaimSettings settings, boolean thorough, LongSupplier clock) {
		this.database = database;
		this.settings = settings;
		this.clock = clock;
		this.tours = new Tours(thorough, clock);
		this.contention = new Contention(settings, thorough, clock);
		this.fullLooks = new FullLooks(clock.getAsLong());
		this.pace = new Pace(3, clock.getAsLong());
		this.floors = new Floors(() -> settings.ordered() && database.statements().dialect().hasAtomicSnapshots(),
				clock);
		this.size = settings.batchSize() * LOOK_AHEAD;
		this.ways = new Ways(database, settings);
	}

	/**
	 * So many workers more claim, or less: with a batch for each in view. Many have the
	 * larger part of it in their hands, and look further for the rest.
	 */
	synchronized void serve(int more) {
		this.workers += more;
		this.lookAhead = Math.min(Math.max(LOOK_AHEAD, this.workers), LONGEST_LOOK_AHEAD);
		this.size = this.settings.batchSize() * this.lookAhead;
	}

	/**
	 * A window over the outbox. Fewer rows than asked for mean that there are no more.
	 * @param held what is known to be in somebody's hands
	 */
	Window look(Predicate<Candidate> held) {
		long begun = this.clock.getAsLong();
		Window window = lookFromMark(held);
		this.pace.looked(begun, this.clock.getAsLong());
		if (!this.settings.ordered() && window.full() && this.fullLooks.bringEnough()) {
			this.mark.set(window.lastId() + 1);
		}
		else if (window.full() && !(window.fromStart() && this.pace.isQuick())) {
			this.mark.set(window.firstId());
			if (window.fromStart()) {
				this.floors.seen(window.rows(), window.seenAt());
			}
		}
		else if (window.fromStart()) {
			this.mark.set(0);
		}
		return window;
	}

	private Window lookFromMark(Predicate<Candidate> held) {
		if (this.fullLooks.isDue(this.clock.getAsLong())) {
			this.mark.set(0);
		}
		long unseen = this.tours.unseen();
		boolean resting = unseen > 0 && !this.tours.isOpen();
		Window window = lookFrom(this.mark.get(), held);
		if (!resting && !window.fromStart() && window.candidates().isEmpty()) {
			window = lookFrom(0, held);
		}
		if (resting && window.full() && window.candidates().isEmpty() && window.start() < unseen) {
			this.mark.set(unseen);
			window = lookFrom(unseen, held);
		}
		return window;
	}

	private Window lookFrom(long start, Predicate<Candidate> held) {
		long begun = this.clock.getAsLong();
		int limit = this.size;
		List<Row> rows = look(start, Long.MAX_VALUE, limit);
		if (start == 0) {
			this.fullLooks.looked(begun, this.clock.getAsLong());
			this.passedOver.clear();
			this.floors.forget();
		}
		return Window.of(begun, rows, start, limit, held.or(this::isPassedOver), this.settings);
	}

	private boolean isPassedOver(Candidate run) {
		return run.isBound(this.settings) && this.passedOver.contains(run.head().partitionKey());
	}

	/**
	 * Nothing of these keys was a head: their heads wait before the start of the window.
	 */
	void passOver(Collection<Candidate> mistaken) {
		mistaken.forEach((run) -> this.passedOver.add(run.head().partitionKey()));
	}

	/**
	 * The same window again, in a new snapshot.
	 */
	List<Row> lookAgain(Window window) {
		long begun = this.clock.getAsLong();
		List<Row> rows = look(window.start(), window.lastId(), Integer.MAX_VALUE);
		this.pace.lookedAgain(begun, this.clock.getAsLong());
		return rows;
	}

	private List<Row> look(long start, long end, int limit) {
		return this.database.rows(this.settings.lockTimeout(), this.database.statements().look, start, end, limit);
	}

	/**
	 * Where the next window begins, until the next full look.
	 */
	AtomicLong mark() {
		return this.mark;
	}

	/**
	 * What tells the time of everything that is seen here.
	 */
	LongSupplier clock() {
		return this.clock;
	}

	Tours tours() {
		return this.tours;
	}

	Contention contention() {
		return this.contention;
	}

	Floors floors() {
		return this.floors;
	}

	/**
	 * A way through what the window does not show.
	 */
	Tour tour(Window window) {
		return this.ways.tour(window);
	}

	/**
	 * Adapt the size of the window to how much of it could be claimed, unless that is
	 * nothing, as with a key that fills all of it: quickly larger, and slowly smaller,
	 * because instances that hold each other's keys find enough only as long as they look
	 * far. While others have most of it there is {@link Contention less to find} for
	 * fewer workers. And adapt the time to the next full look to what the last one
	 * brought.
	 * @param owned what could be claimed of it
	 */
	void adapt(Window window, List<Candidate> owned) {
		boolean contested = this.contention.isPresent();
		int smallest = this.settings.batchSize() * (contested ? LOOK_AHEAD : this.lookAhead);
		boolean satisfied = this.settings.isEnough(owned) || !window.full();
		if (satisfied) {
			this.size = Math.max(this.size - this.settings.batchSize() / 2, smallest);
		}
		else if (!window.candidates().isEmpty() && !contested) {
			this.size = Math.min(this.size * 2, smallest * MAX_GROWTH);
		}
		if (window.fromStart()) {
			this.fullLooks.brought(satisfied);
		}
	}

}
