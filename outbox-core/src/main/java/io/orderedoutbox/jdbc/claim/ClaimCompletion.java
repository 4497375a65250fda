/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.orderedoutbox.Destination;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxStatements;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.dialect.UndoneStatement;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;

/**
 * Stores what became of the messages of a claim, in the transaction of the claim.
 * <ol>
 * <li>For messages, as often as there are some: attempts and errors of those that have
 * failed; copies of those that are given up, to the dead letters, and of those that were
 * published, to the archive, where there is one. Then those that were published or given
 * up are deleted.</li>
 * <li>For keys, once at the end: if a message of a key has failed, or the first that is
 * left is delayed, the key is parked until that message is due. If a key was sent in part
 * and hides others, the key is parked, too, and due at once. A key that is parked has a
 * lane of its own, to which its messages go that the claim has read and that are still
 * there: of these a beginning that one transaction may move.</li>
 * <li>A parked key of which nothing is left in its lane is not parked any more.</li>
 * <li>The partition says when the first of its parked keys is due.</li>
 * <li>After the commit: the cursors move.</li>
 * </ol>
 * On the healthy path that is one DELETE. The lane of a parked key holds a beginning of
 * what there is of the key: nothing of it in the lane of the partition has a lower
 * position. The order of messages rests on that.
 */
final class ClaimCompletion {

	// As a delay: at once, after the keys that are due already
	private static final String AT_ONCE = "0";

	private final OutboxDatabase database;

	private final ClaimStatements statements;

	private final List<OwnedPartition> partitions;

	// What was read
	private final Map<Long, ClaimedRow> rows = new HashMap<>();

	private final Map<Long, FailedMessage> failed = new HashMap<>();

	// What had failed when the keys were decided about the last time
	private final Set<Long> decided = new HashSet<>();

	private final Set<Long> gone = new HashSet<>();

	// What another transaction has locked: to touch such a row would be to wait
	private final Set<Long> held;

	// The lanes to which nothing more moves, because a locked row of the key stays behind
	private final Set<Long> stuck = new HashSet<>();

	// The lanes to which messages were moved
	private final Map<Long, Long> moved = new HashMap<>();

	// The lanes that were opened for keys, by the first position that was read of each
	private final Map<Long, Long> lanes = new HashMap<>();

	// What changes for keys, as the statements take it. Of heads: [lane, id, delay, hash]
	private final List<String> opened = new ArrayList<>();

	private final List<String> postponed = new ArrayList<>();

	private final List<Long> closed = new ArrayList<>();

	// Of messages: [lane, id, target lane]
	private final List<String> moves = new ArrayList<>();

	private final Set<Integer> changed = new TreeSet<>();

	// A transaction that moves more bytes than a batch has may be too large for a server
	private long bytesToMove;

	ClaimCompletion(OutboxDatabase database, ClaimStatements statements, ClaimSettings settings,
			List<OwnedPartition> partitions, Set<Long> held) {
		this.held = held;
		this.bytesToMove = settings.batchBytes().toBytes();
		this.database = database;
		this.statements = statements;
		this.partitions = partitions;
		partitions.forEach((partition) -> partition.allRows().forEach((row) -> this.rows.put(row.id(), row)));
	}

	/**
	 * Whether {@link #write} takes one statement, which the database undoes by itself if
	 * it fails.
	 */
	boolean isOneStatement(Collection<FailedMessage> failures) {
		return failures.isEmpty() && !this.database.isArchiving() && this.database.dialect().undoesStatementsAlone();
	}

	/**
	 * Write what became of messages. If that fails, nothing is remembered of it.
	 * @return whether all messages were still there, and as they were read
	 */
	boolean write(Collection<Long> published, Collection<FailedMessage> failures) {
		OutboxStatements shared = this.database.statements();
		Set<Long> dead = failures.stream()
			.filter((message) -> message.fate() == Fate.DEAD_LETTER)
			.map(FailedMessage::id)
			.collect(Collectors.toCollection(TreeSet::new)); // requeued in their order
		int known = update(this.statements.fail, failures.stream().map(this::failure).toList());
		if (known < failures.size()) {
			// Another claim, or an operator, has decided about one of them
			dead.clear();
		}
		Set<Long> leaving = new HashSet<>(published);
		leaving.addAll(dead);
		update(shared.bury, places(dead));
		if (this.database.isArchiving()) {
			update(shared.archive, places(new TreeSet<>(published)));
		}
		// Never by a range: the database would read on to the next row of the lane, and
		// wait for the writer who has inserted it
		int deleted = update(shared.delete, places(leaving));
		this.gone.addAll(leaving);
		failures.stream()
			.filter((message) -> message.fate() != Fate.DEAD_LETTER)
			.forEach((message) -> this.failed.put(message.id(), message));
		return deleted == leaving.size() && known == failures.size();
	}

	/** Which of the rows that were read another transaction has locked. */
	Set<Long> locked() {
		Set<Long> locked = new HashSet<>(this.rows.keySet());
		if (!locked.isEmpty()) {
			this.database.jdbc()
				.queryForList(this.statements.free, Long.class, places(locked).toString())
				.forEach(locked::remove);
		}
		return locked;
	}

	/** Whether nothing was sent of a partition because of a lock. */
	boolean isHeld(OwnedPartition partition) {
		return partition.allRows().anyMatch((row) -> this.held.contains(row.id()))
				&& partition.allRows().noneMatch((row) -> this.gone.contains(row.id()));
	}

	private String failure(FailedMessage message) {
		return "[%d,%d,%d,\"%s\",%d]".formatted(lane(message.id()), message.id(),
				(message.fate() != Fate.POSTPONED) ? 1 : 0, this.database.dialect().sql().encoded(message.error()),
				row(message.id()).message().attempts());
	}

	private ClaimedRow row(long id) {
		ClaimedRow row = this.rows.get(id);
		if (row == null) {
			throw new IllegalArgumentException("Message %d is not of this claim".formatted(id));
		}
		return row;
	}

	// Where a message is now
	private long lane(long id) {
		Long target = this.moved.get(id);
		return (target != null) ? target : row(id).lane();
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
			long left = partition.rows()
				.stream()
				.filter((row) -> !this.gone.contains(row.id()) && !partition.moves().containsKey(row.id()))
				.count();
			boolean isHidden = partition.isFullOf(left);
			partition.sequences().forEach((sequence) -> decide(sequence, isHidden));
			partition.moves().forEach(this::move);
			if (partition.isRetryStale()) {
				this.changed.add(partition.id());
			}
		}
		change();
	}

	private void change() {
		if (!this.changed.isEmpty() || !this.moves.isEmpty()) {
			new UndoneStatement(this.database.jdbc(), this.database.dialect()).tryTo(this::changeKeys);
		}
	}

	private boolean changeKeys() {
		update(this.statements.open, this.opened);
		update(this.database.statements().closeLanes, this.closed);
		// If an operator has deleted a row by hand, the lanes are read from their starts
		if (update(this.statements.move, this.moves) < this.moves.size()) {
			this.partitions.forEach((partition) -> partition.cursor().restart());
		}
		update(this.statements.postpone, this.postponed);
		update(this.database.statements().refreshRetry, this.changed);
		return true;
	}

	/**
	 * Decide about a key.
	 * @param isHidden whether what is left of this and other keys of the partition hides
	 * what is behind it
	 */
	private void decide(ClaimedSequence sequence, boolean isHidden) {
		List<ClaimedRow> left = sequence.rows().stream().filter((row) -> !this.gone.contains(row.id())).toList();
		FailedMessage failure = left.stream()
			.map((row) -> this.failed.get(row.id()))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
		if (left.isEmpty()) {
			close(sequence);
		}
		else if (this.held.contains(left.get(0).id())) {
			// What cannot be moved cannot be parked
			return;
		}
		else if (failure != null) {
			park(sequence, left, delay(failure, left.get(0)));
		}
		else if (!left.get(0).isDue() && !sequence.isParked() && this.bytesToMove <= 0) {
			// Any number of keys may be delayed: the next claim goes on with those left
			sequence.partition().noteMoreIsDue();
		}
		else if (!left.get(0).isDue()) {
			park(sequence, left, AT_ONCE);
		}
		else if (sequence.isParked() || isInTheWay(sequence, left.size(), isHidden)) {
			park(sequence, left, AT_ONCE);
			sequence.partition().noteMoreIsDue();
		}
	}

	private static boolean isInTheWay(ClaimedSequence sequence, int left, boolean isHidden) {
		OwnedPartition partition = sequence.partition();
		boolean isSentInPart = left < sequence.rows().size();
		return isSentInPart && (partition.isHidingOthers(sequence) || (isHidden && partition.isMany(left)));
	}

	private void close(ClaimedSequence sequence) {
		if (sequence.isParked() && sequence.isWhole()) {
			this.closed.add(sequence.lane());
			this.changed.add(sequence.partition().id());
		}
	}

	// If keys are pipelined, one before the failed message may not have been answered: it
	// is never blocked by the failure of the other
	private static String delay(FailedMessage failure, ClaimedRow head) {
		boolean blocked = failure.fate() == Fate.BLOCKED && failure.id() == head.id();
		return blocked ? "null" : String.valueOf(failure.delay().toNanos() / 1_000);
	}

	private void park(ClaimedSequence sequence, List<ClaimedRow> left, String delay) {
		long head = left.get(0).id();
		long lane = this.lanes.getOrDefault(sequence.head(), sequence.lane());
		List<String> due = (lane < 0) ? this.postponed : this.opened;
		long hash = Partitions.hash(left.get(0).message().message().partitionKey());
		due.add("[%d,%d,%s,%d]".formatted(lane, head, delay, hash));
		// The head moves in any case
		this.bytesToMove = Math.max(1, this.bytesToMove);
		long target = (lane < 0) ? lane : -head;
		this.lanes.put(sequence.head(), target);
		left.forEach((row) -> move(row.id(), target));
		this.changed.add(sequence.partition().id());
	}

	// After a row that does not move, no later one of its key does
	private void move(long id, long target) {
		long lane = lane(id);
		if (this.held.contains(id)) {
			this.stuck.add(target);
		}
		if (lane >= 0 && this.bytesToMove > 0 && !this.stuck.contains(target)) {
			this.bytesToMove -= row(id).payloadSize();
			this.moves.add("[%d,%d,%d]".formatted(lane, id, target));
			this.moved.put(id, target);
		}
	}

	/** Whether nothing of what was read in a partition is left. */
	boolean isDone(OwnedPartition partition) {
		return partition.allRows().allMatch((row) -> this.gone.contains(row.id()));
	}

	/** Move the cursors, after the commit. */
	void moveCursors(String server) {
		this.partitions.forEach((partition) -> partition.moveCursor(server, this.gone, this.moved.keySet()));
	}

	/**
	 * Write what became of messages after the claim had been committed, in a transaction
	 * that owns some of its partitions again. Other claims may have sent, moved or parked
	 * them meanwhile, and operators may have given them another destination: what is not
	 * where it was, or no longer goes where it was sent, is left alone.
	 */
	boolean writeLate(Set<Integer> locked, Collection<Long> published, Collection<FailedMessage> failures) {
		this.decided.addAll(this.failed.keySet());
		this.failed.clear();
		List.of(this.opened, this.postponed, this.closed, this.moves, this.changed).forEach(Collection::clear);
		Set<Long> changedMeanwhile = findChanged(published, failures);
		this.partitions.stream()
			.filter((partition) -> locked.contains(partition.id()))
			.filter((partition) -> writeLate(partition, changedMeanwhile, published, failures))
			.flatMap((partition) -> partition.sequences().stream())
			.filter(this::failsFirst)
			.forEach((sequence) -> decide(sequence, false));
		change();
		return true;
	}

	private Set<Long> findChanged(Collection<Long> published, Collection<FailedMessage> failures) {
		Set<Long> ids = new TreeSet<>(published);
		failures.forEach((message) -> ids.add(message.id()));
		this.database.jdbc().query(this.statements.destinations, (rs) -> {
			Destination sentTo = row(rs.getLong(1)).message().message().destination();
			if (sentTo.exchange().equals(rs.getString(2)) && sentTo.routingKey().equals(rs.getString(3))) {
				ids.remove(rs.getLong(1));
			}
		}, places(ids).toString());
		return ids;
	}

	// If another claim or an operator has been there, the keys are decided about already
	private boolean writeLate(OwnedPartition partition, Set<Long> changedMeanwhile, Collection<Long> published,
			Collection<FailedMessage> failures) {
		Set<Long> ids = partition.allRows().map(ClaimedRow::id).collect(Collectors.toSet());
		boolean isAsRead = !ids.removeAll(changedMeanwhile);
		return write(published.stream().filter(ids::contains).toList(),
				failures.stream().filter((message) -> ids.contains(message.id())).toList()) && isAsRead;
	}

	// If keys are pipelined, an earlier one may have failed in time: it decides
	private boolean failsFirst(ClaimedSequence sequence) {
		return sequence.rows()
			.stream()
			.map(ClaimedRow::id)
			.filter((id) -> this.decided.contains(id) || this.failed.containsKey(id))
			.findFirst()
			.filter(this.failed::containsKey)
			.isPresent();
	}

}
