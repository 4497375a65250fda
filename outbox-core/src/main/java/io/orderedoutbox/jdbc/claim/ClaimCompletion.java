package io.orderedoutbox.jdbc.claim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxStatements;
import io.orderedoutbox.jdbc.SqlFragments;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;

/**
 * Stores what became of the messages of a claim, in the transaction of the claim.
 * <ol>
 * <li>For messages, as often as there are some: attempts and errors of those that have
 * failed; copies of those that are given up, to the dead letters, and of those that were
 * published, to the archive, where there is one. Then those that were published or given
 * up are deleted.</li>
 * <li>For keys, once at the end: if a message of a key has failed, the key is parked
 * until the message is due again. It gets a lane of its own, unless it has one, and all
 * of its messages that the claim has read and that are still there go to that lane.</li>
 * <li>A parked key of which nothing is left in its lane is not parked any more.</li>
 * <li>What the claim has found of keys that are parked goes to their lanes. A key that
 * leaves no room for others in the memory of the cursor gets a lane, too, which is due at
 * once.</li>
 * <li>The partition says when the first of its parked keys is due.</li>
 * <li>After the commit: the cursors move.</li>
 * </ol>
 * On the healthy path that is one DELETE. The lane of a parked key holds a beginning of
 * what there is of the key: nothing of it in the lane of the partition has a lower
 * position. The order of messages rests on that.
 */
final class ClaimCompletion {

	private final OutboxDatabase database;

	private final ClaimStatements statements;

	private final List<OwnedPartition> partitions;

	// Where each message that was read is now
	private final Map<Long, Long> lanes = new HashMap<>();

	private final Map<Long, FailedMessage> failed = new HashMap<>();

	private final Set<Long> gone = new HashSet<>();

	private final Set<Long> moved = new HashSet<>();

	// What changes for keys, as the statements take it
	private final List<String> opened = new ArrayList<>();

	private final List<String> postponed = new ArrayList<>();

	private final List<Long> closed = new ArrayList<>();

	private final List<String> moves = new ArrayList<>();

	private final Set<Integer> changed = new TreeSet<>();

	ClaimCompletion(OutboxDatabase database, ClaimStatements statements, List<OwnedPartition> partitions) {
		this.database = database;
		this.statements = statements;
		this.partitions = partitions;
		partitions.forEach((partition) -> partition.sequences()
			.forEach((sequence) -> sequence.rows().forEach((row) -> this.lanes.put(row.id(), row.lane()))));
	}

	/**
	 * Whether {@link #write} takes one statement, which the database undoes by itself if
	 * it fails.
	 */
	boolean isOneStatement(Collection<FailedMessage> failures) {
		return failures.isEmpty() && !this.database.isArchiving();
	}

	/** Write what became of messages. If that fails, nothing is remembered of it. */
	void write(Collection<Long> published, Collection<FailedMessage> failures) {
		OutboxStatements shared = this.database.statements();
		Map<Long, FailedMessage> staying = new HashMap<>();
		Set<Long> dead = new HashSet<>();
		for (FailedMessage message : failures) {
			if (message.fate() == Fate.DEAD_LETTER) {
				dead.add(message.id());
			}
			else {
				staying.put(message.id(), message);
			}
		}
		Set<Long> leaving = new HashSet<>(published);
		leaving.addAll(dead);
		update(this.statements.fail, failures.stream().map(this::failure).toList());
		update(shared.bury, places(dead));
		if (this.database.isArchiving()) {
			update(shared.archive, places(new TreeSet<>(published)));
		}
		// Never by a range: the database would read on to the next row of the lane, and
		// wait for the writer who has inserted it
		update(shared.delete, places(leaving));
		this.gone.addAll(leaving);
		this.failed.putAll(staying);
	}

	private String failure(FailedMessage message) {
		String error = Base64.getEncoder().encodeToString(message.error().getBytes(StandardCharsets.UTF_8));
		return "[%d,%d,%d,\"%s\"]".formatted(lane(message.id()), message.id(),
				(message.fate() != Fate.POSTPONED) ? 1 : 0, error);
	}

	private long lane(long id) {
		Long lane = this.lanes.get(id);
		if (lane == null) {
			throw new IllegalArgumentException("Message %d is not of this claim".formatted(id));
		}
		return lane;
	}

	private List<String> places(Collection<Long> ids) {
		return ids.stream().map((id) -> SqlFragments.place(lane(id), id)).toList();
	}

	private int update(String statement, Collection<?> values) {
		return values.isEmpty() ? 0 : this.database.jdbc().update(statement, values.toString());
	}

	/** Park, postpone and unpark keys, as the messages that were written demand. */
	void finish() {
		for (OwnedPartition partition : this.partitions) {
			partition.sequences().forEach(this::decide);
			partition.moves().forEach((id, lane) -> move(partition.id(), id, lane));
			makeRoom(partition);
			if (partition.isRetryStale()) {
				this.changed.add(partition.id());
			}
		}
		change();
	}

	private void change() {
		update(this.statements.open, this.opened);
		update(this.database.statements().closeLanes, this.closed);
		// If an operator has deleted a row by hand, the lanes are read from their starts
		if (update(this.statements.move, this.moves) < this.moves.size()) {
			this.partitions.forEach((partition) -> partition.cursor().restart());
		}
		update(this.statements.postpone, this.postponed);
		update(this.database.statements().refreshRetry, this.changed);
	}

	private void makeRoom(OwnedPartition partition) {
		NavigableSet<Long> leaving = partition.leaving(this.gone, this.moved);
		if (!leaving.isEmpty()) {
			long head = leaving.first();
			this.opened.add("[%d,%d,0]".formatted(partition.id(), head));
			leaving.forEach((id) -> move(partition.id(), id, -head));
			this.changed.add(partition.id());
		}
	}

	private void decide(ClaimedSequence sequence) {
		List<ClaimedRow> left = sequence.rows().stream().filter((row) -> !this.gone.contains(row.id())).toList();
		FailedMessage failure = left.stream()
			.map((row) -> this.failed.get(row.id()))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
		if (failure != null) {
			park(sequence, left, failure);
		}
		else if (sequence.isParked() && sequence.isWhole() && left.stream().noneMatch(ClaimedRow::isInParkedLane)) {
			this.closed.add(sequence.lane());
			this.changed.add(sequence.partition().id());
		}
		else if (sequence.isParked()) {
			sequence.partition().noteMoreIsDue();
			moveTo(sequence.lane(), left);
		}
	}

	private void park(ClaimedSequence sequence, List<ClaimedRow> left, FailedMessage failure) {
		// If keys are pipelined, one before the failed message may not have been
		// answered: it is tried at once, however the other has failed
		long head = left.get(0).id();
		boolean blocked = failure.fate() == Fate.BLOCKED && failure.id() == head;
		String delay = blocked ? "null" : String.valueOf(failure.delay().toNanos() / 1_000);
		if (sequence.isParked()) {
			this.postponed.add("[%d,%d,%s]".formatted(sequence.lane(), head, delay));
			moveTo(sequence.lane(), left);
		}
		else {
			this.opened.add("[%d,%d,%s]".formatted(sequence.lane(), head, delay));
			moveTo(-head, left);
		}
		this.changed.add(sequence.partition().id());
	}

	private void moveTo(long lane, List<ClaimedRow> rows) {
		rows.stream().filter((row) -> !row.isInParkedLane()).forEach((row) -> move(row.lane(), row.id(), lane));
	}

	private void move(long from, long id, long lane) {
		this.moves.add("[%d,%d,%d]".formatted(from, id, lane));
		this.moved.add(id);
		this.lanes.put(id, lane);
	}

	/** Move the cursors, after the commit. */
	void moveCursors(String server) {
		this.partitions.forEach((partition) -> partition.moveCursor(server, this.gone, this.moved));
	}

	/**
	 * Write what became of messages after the claim had been committed, in a transaction
	 * that owns some of its partitions again. Other claims may have sent, moved or parked
	 * them meanwhile: what is not where it was is left alone.
	 */
	void writeLate(Set<Integer> locked, Collection<Long> published, Collection<FailedMessage> failures) {
		List<ClaimedSequence> again = this.partitions.stream()
			.filter((partition) -> locked.contains(partition.id()))
			.flatMap((partition) -> partition.sequences().stream())
			.toList();
		Set<Long> ids = new HashSet<>();
		again.forEach((sequence) -> sequence.rows().forEach((row) -> ids.add(row.id())));
		this.failed.clear();
		List.of(this.opened, this.postponed, this.closed, this.moves, this.changed).forEach(Collection::clear);
		write(published.stream().filter(ids::contains).toList(),
				failures.stream().filter((message) -> ids.contains(message.id())).toList());
		again.stream()
			.filter((sequence) -> sequence.rows().stream().anyMatch((row) -> this.failed.containsKey(row.id())))
			.forEach(this::decide);
		change();
	}

}
