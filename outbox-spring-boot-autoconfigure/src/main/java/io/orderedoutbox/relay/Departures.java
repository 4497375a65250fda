package io.orderedoutbox.relay;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

import io.orderedoutbox.relay.Suspects.Pause;
import io.orderedoutbox.store.Run;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * Decides which message is the next to be sent.
 * <ol>
 * <li>What is in doubt comes first, alone, and of each destination one before the second
 * of any.</li>
 * <li>Then everything else, up to the greatest number in flight.</li>
 * <li>{@link Suspects} come last, each alone.</li>
 * </ol>
 * A message that cannot be sent at all has failed, and one whose destination is paused
 * waits: neither leaves, nor does anything behind it in its run.
 */
final class Departures {

	private final Deque<Cursor> doubtful = new ArrayDeque<>();

	private final Deque<Cursor> ready = new ArrayDeque<>();

	private final Deque<Cursor> last = new ArrayDeque<>();

	private final int maxInFlight;

	private final Suspects suspects;

	private final Results results;

	// Whether what is in flight may be the culprit
	private boolean inDoubt;

	Departures(Collection<Run> runs, WorkerSettings settings, Suspects suspects, Results results) {
		this.maxInFlight = settings.maxInFlight();
		this.suspects = suspects;
		this.results = results;
		runs.forEach((run) -> this.ready.add(new Cursor(run, settings.pipelinedKeys())));
	}

	/**
	 * The next to be sent, or null if none may leave before something in flight has
	 * ended.
	 */
	@Nullable Cursor next(int inFlight) {
		boolean alone = inFlight == 0;
		if (this.inDoubt && !alone) {
			return null;
		}
		this.inDoubt = !this.doubtful.isEmpty();
		if (this.inDoubt) {
			return this.doubtful.remove();
		}
		while (!this.ready.isEmpty() && inFlight < this.maxInFlight) {
			Cursor cursor = this.ready.remove();
			if (mayLeave(cursor)) {
				if (!this.suspects.isSuspect(cursor.message())) {
					return cursor;
				}
				this.last.add(cursor);
			}
		}
		while (alone && !this.last.isEmpty()) {
			Cursor cursor = this.last.remove();
			if (mayLeave(cursor)) {
				return cursor;
			}
		}
		return null;
	}

	private boolean mayLeave(Cursor cursor) {
		StoredMessage message = cursor.message();
		if (cursor.isEnded()) {
			return false;
		}
		if (message.defect() != null) {
			this.results.failed(message, FailureReason.UNSENDABLE, message.defect());
			cursor.end();
			return false;
		}
		Pause pause = this.suspects.pauseOf(message);
		if (pause != null) {
			this.results.postponed(message, pause);
			cursor.end();
			return false;
		}
		return true;
	}

	boolean isEmpty() {
		return this.doubtful.isEmpty() && this.ready.isEmpty() && this.last.isEmpty();
	}

	/**
	 * How many runs may go on, as far as is known.
	 */
	int size() {
		return this.ready.size();
	}

	/**
	 * A run has come to its next message.
	 */
	void add(Cursor cursor) {
		this.ready.add(cursor);
	}

	/**
	 * Something is suspect no longer.
	 */
	void reconsider() {
		this.ready.addAll(this.last);
		this.last.clear();
	}

	/**
	 * One of these is a culprit: their runs begin again with them, the first of each.
	 */
	void doubt(Collection<Flight> flights) {
		Set<Cursor> cursors = new LinkedHashSet<>();
		for (Flight flight : flights) {
			if (cursors.add(flight.cursor())) {
				flight.cursor().returnTo(flight);
			}
		}
		this.ready.removeAll(cursors);
		this.last.removeAll(cursors);
		cursors.removeIf(Cursor::isEnded);
		this.doubtful.addAll(Cursor.eachDestinationFirst(cursors));
	}

	/**
	 * The culprit is found.
	 */
	void doubtNoMore() {
		while (!this.doubtful.isEmpty()) {
			this.ready.addFirst(this.doubtful.removeLast());
		}
	}

}
