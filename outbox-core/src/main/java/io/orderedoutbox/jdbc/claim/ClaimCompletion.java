package io.orderedoutbox.jdbc.claim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.claim.PartitionCursor.Place;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;

import org.springframework.jdbc.core.JdbcTemplate;

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
 * <li>What the claim has found of keys that are parked goes to their lanes.</li>
 * <li>The partition says when the first of its parked keys is due.</li>
 * <li>After the commit: the cursors move.</li>
 * </ol>
 * On the healthy path that is one DELETE. Of a key, the lane holds a beginning: nothing
 * in the lane of the partition has a lower position. The order of messages rests on that.
 */
final class ClaimCompletion {

	private final JdbcTemplate jdbc;

	private final OutboxDatabase database;

	private final ClaimStatements statements;

	private final List<OwnedPartition> partitions;

	private final Map<Long, ClaimedRow> rows = new HashMap<>();

	private final Map<Long, FailedMessage> failed = new HashMap<>();

	private final Set<Long> gone = new HashSet<>();

	private final Set<Long> moved = new HashSet<>();

	ClaimCompletion(OutboxDatabase database, ClaimStatements statements, List<OwnedPartition> partitions) {
		this.jdbc = database.jdbc();
		this.database = database;
		this.statements = statements;
		this.partitions = partitions;
		partitions.forEach((partition) -> partition.sequences()
			.forEach((sequence) -> sequence.rows().forEach((row) -> this.rows.put(row.id(), row))));
	}

	/**
	 * Whether {@link #write} takes one statement, which the database undoes by itself if
	 * it fails.
	 */
	boolean isOneStatement(Collection<FailedMessage> failures) {
		return failures.isEmpty() && !this.database.isArchiving();
	}

	/**
	 * Write what became of messages. If that fails, nothing is remembered of it.
	 */
	void write(Collection<Long> published, Collection<FailedMessage> failures) {
		Map<Long, FailedMessage> known = failures.stream()
			.collect(Collectors.toMap(FailedMessage::id, (message) -> message));
		Set<Long> dead = failures.stream()
			.filter((message) -> message.fate() == Fate.DEAD_LETTER)
			.map(FailedMessage::id)
			.collect(Collectors.toSet());
		Set<Long> leaving = new HashSet<>(published);
		leaving.addAll(dead);
		update(this.statements.fail, failures.stream().map(this::failure).toList());
		update(this.database.statements().bury, places(dead));
		archive(published);
		// Never by a range: the database would read on to the next row of the lane, and
		// wait for the writer who has inserted it
		update(this.database.statements().delete, places(leaving));
		this.gone.addAll(leaving);
		this.failed.putAll(known);
		this.failed.keySet().removeAll(dead);
	}

	private void archive(Collection<Long> published) {
		if (this.database.isArchiving()) {
			update(this.database.statements().archive, places(new TreeSet<>(published)));
		}
	}

	private String failure(FailedMessage message) {
		String error = Base64.getEncoder().encodeToString(message.error().getBytes(StandardCharsets.UTF_8));
		return "[%d,%d,%d,\"%s\"]".formatted(lane(message.id()), message.id(),
				(message.fate() != Fate.POSTPONED) ? 1 : 0, error);
	}

	private long lane(long id) {
		ClaimedRow row = this.rows.get(id);
		if (row == null) {
			throw new IllegalArgumentException("Message %d is not of this claim".formatted(id));
		}
		return row.lane();
	}

	private List<String> places(Collection<Long> ids) {
		return ids.stream().map((id) -> "[%d,%d]".formatted(lane(id), id)).toList();
	}

	private void update(String statement, List<?> values) {
		if (!values.isEmpty()) {
			this.jdbc.update(statement, values.toString());
		}
	}

	/**
	 * Delete what was confirmed after the claim had been suspended, in partitions that it
	 * owns again.
	 */
	void writeLate(Collection<Long> published) {
		archive(published);
		update(this.database.statements().delete, places(published));
		this.gone.addAll(published);
	}

	/**
	 * Write what that means for keys.
	 */
	void finish() {
		Changes changes = new Changes();
		for (OwnedPartition partition : this.partitions) {
			partition.sequences().forEach((sequence) -> decide(sequence, changes));
			partition.moves().forEach((id, lane) -> move(partition.id(), id, lane, changes));
		}
		update(this.statements.open, changes.opened());
		update(this.statements.postpone, changes.postponed());
		update(this.statements.close, changes.closed());
		update(this.statements.move, changes.moves());
		update(this.database.statements().refreshRetry, List.copyOf(changes.partitions()));
	}

	private void decide(ClaimedSequence sequence, Changes changes) {
		List<ClaimedRow> left = sequence.rows().stream().filter((row) -> !this.gone.contains(row.id())).toList();
		FailedMessage failure = left.stream()
			.map((row) -> this.failed.get(row.id()))
			.filter((message) -> message != null)
			.findFirst()
			.orElse(null);
		if (failure != null) {
			park(sequence, left, failure, changes);
		}
		else if (sequence.isParked()) {
			unpark(sequence, left, changes);
		}
	}

	private void park(ClaimedSequence sequence, List<ClaimedRow> left, FailedMessage failure, Changes changes) {
		// If keys are pipelined, one before the failed message may not have been answered
		long head = left.get(0).id();
		boolean blocked = failure.fate() == Fate.BLOCKED && failure.id() == head;
		// A lane that is blocked is never due
		String delay = blocked ? "null" : String.valueOf(failure.delay().toNanos() / 1_000);
		long lane = sequence.isParked() ? sequence.lane() : -head;
		if (sequence.isParked()) {
			changes.postponed().add("[%d,%s]".formatted(lane, delay));
		}
		else {
			changes.opened().add("[%d,%d,%s]".formatted(sequence.lane(), head, delay));
		}
		moveTo(lane, left, changes);
		changes.partitions().add(sequence.partition().id());
	}

	private void unpark(ClaimedSequence sequence, List<ClaimedRow> left, Changes changes) {
		if (sequence.isWhole() && left.stream().noneMatch(ClaimedRow::isParked)) {
			changes.closed().add(sequence.lane());
			changes.partitions().add(sequence.partition().id());
		}
		else {
			moveTo(sequence.lane(), left, changes);
		}
	}

	private void moveTo(long lane, List<ClaimedRow> rows, Changes changes) {
		rows.stream().filter((row) -> !row.isParked()).forEach((row) -> move(row.lane(), row.id(), lane, changes));
	}

	private void move(long from, long id, long lane, Changes changes) {
		changes.moves().add("[%d,%d,%d]".formatted(from, id, lane));
		this.moved.add(id);
	}

	/**
	 * Move the cursors, after the commit.
	 */
	void moveCursors(String server) {
		for (OwnedPartition partition : this.partitions) {
			Map<String, List<Long>> left = new HashMap<>();
			Map<String, Integer> sent = new HashMap<>();
			for (ClaimedRow row : partition.rows()) {
				if (this.gone.contains(row.id())) {
					sent.merge(row.key(), 1, Integer::sum);
				}
				else if (!this.moved.contains(row.id())) {
					left.computeIfAbsent(row.key(), (absent) -> new ArrayList<>()).add(row.id());
				}
			}
			// What waited and is not there any more was taken by another instance
			partition.waiting()
				.forEach((key, ids) -> sent.merge(key,
						(int) ids.stream().filter((id) -> !partition.hasRead(id)).count(), Integer::sum));
			partition.cursor().settle(new Place(server, partition.seenTo()), partition.waiting(), left, sent);
		}
	}

	/**
	 * Take what was deleted late off the lists of what waits, after the commit.
	 */
	void moveCursorsLate(String server, Collection<Long> published) {
		for (OwnedPartition partition : this.partitions) {
			Map<String, List<Long>> late = partition.rows()
				.stream()
				.filter((row) -> published.contains(row.id()))
				.collect(Collectors.groupingBy(ClaimedRow::key,
						Collectors.mapping(ClaimedRow::id, Collectors.toList())));
			partition.cursor().settle(new Place(server, partition.cursor().next(server)), late, Map.of(), Map.of());
		}
	}

	/**
	 * What changes for keys, as the statements take it.
	 */
	private record Changes(List<String> opened, List<String> postponed, List<Long> closed, List<String> moves,
			Set<Integer> partitions) {

		Changes() {
			this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new TreeSet<>());
		}

	}

}
