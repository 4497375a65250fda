package io.orderedoutbox.jdbc.claim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.orderedoutbox.jdbc.Dialect;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.claim.ClaimStatements.Range;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads the messages of the partitions that a claim owns, in the transaction of the
 * claim.
 * <ol>
 * <li>Each partition has the same quota of rows. Read what waits from earlier batches by
 * its places, and what is new by a range from the cursor on. Where snapshots are not
 * atomic, ask for the last position of each lane first, and read up to it in a new
 * statement: that one sees all that was committed before the position was.</li>
 * <li>In partitions that have parked keys, find out which of the keys are parked, and
 * read from the lanes of those that are due.</li>
 * <li>Put the rows together as sequences, one for each key:
 * {@link OwnedPartition#arrange}.</li>
 * <li>Cut the sequences at their ends to the size of a batch, and load the payloads that
 * were too large to be read with their rows.</li>
 * </ol>
 * A sequence begins with the oldest message of its key, and has no gap: the order of
 * messages rests on that.
 */
final class BatchReader {

	private final JdbcTemplate jdbc;

	private final Dialect dialect;

	private final ClaimStatements statements;

	private final ClaimSettings settings;

	BatchReader(JdbcRelayStore store) {
		this.jdbc = store.database().jdbc();
		this.dialect = store.database().dialect();
		this.statements = store.statements();
		this.settings = store.settings();
	}

	/**
	 * Read.
	 * @param partitions what the claim owns; they remember what is read of them
	 * @param server on which server
	 * @return what is to be sent
	 */
	List<KeySequence> read(List<OwnedPartition> partitions, String server) {
		int quota = Math.max(1, this.settings.batchSize() / partitions.size());
		int lookAhead = this.settings.lookAhead(partitions.size());
		partitions.forEach((partition) -> partition.plan(quota, lookAhead, server));
		Map<Long, OwnedPartition> byLane = partitions.stream()
			.collect(Collectors.toMap((partition) -> (long) partition.id(), Function.identity()));
		readWaiting(partitions, byLane);
		readNew(partitions, byLane);
		List<OwnedPartition> parked = partitions.stream().filter(OwnedPartition::hasParkedKeys).toList();
		findParkedKeys(parked, byLane);
		readDueLanes(parked.stream().filter(OwnedPartition::hasDueKeys).toList(), byLane, quota);
		partitions.forEach(OwnedPartition::arrange);
		return cut(partitions);
	}

	private void readWaiting(List<OwnedPartition> partitions, Map<Long, OwnedPartition> byLane) {
		List<String> places = partitions.stream().flatMap((partition) -> partition.waitingPlaces().stream()).toList();
		if (!places.isEmpty()) {
			this.jdbc.query(this.statements.readPlaces, (rs) -> {
				add(ClaimedRow.read(rs, this.settings), byLane);
			}, places.toString());
		}
	}

	private static void add(ClaimedRow row, Map<Long, OwnedPartition> byLane) {
		Objects.requireNonNull(byLane.get(row.lane())).add(row);
	}

	private void readNew(List<OwnedPartition> partitions, Map<Long, OwnedPartition> byLane) {
		Map<Long, Long> last = new HashMap<>();
		if (!this.dialect.hasAtomicSnapshots()) {
			this.jdbc.query(this.statements.last(partitions.stream().map(OwnedPartition::id).toList()), (rs) -> {
				last.put(rs.getLong(1), rs.getLong(2));
			});
		}
		List<Range> ranges = partitions.stream()
			.filter((partition) -> this.dialect.hasAtomicSnapshots() || last.containsKey((long) partition.id()))
			.map((partition) -> partition.newRange(last.getOrDefault((long) partition.id(), Long.MAX_VALUE)))
			.filter((range) -> range.limit() > 0)
			.toList();
		if (!ranges.isEmpty()) {
			this.jdbc.query(this.statements.read(ranges), (rs) -> {
				add(ClaimedRow.read(rs, this.settings), byLane);
			});
		}
	}

	private void findParkedKeys(List<OwnedPartition> partitions, Map<Long, OwnedPartition> byLane) {
		List<String> keys = new ArrayList<>();
		for (OwnedPartition partition : partitions) {
			partition.rows()
				.stream()
				.map(ClaimedRow::key)
				.filter((key) -> !key.isEmpty())
				.distinct()
				.forEach((key) -> keys.add("[%d,%d]".formatted(partition.id(), Partitions.hash(key))));
		}
		if (!keys.isEmpty()) {
			this.jdbc.query(this.statements.parkedKeys, (rs) -> {
				park(byLane, rs.getLong(1), rs.getString(2), rs.getLong(3));
			}, keys.toString());
		}
	}

	private OwnedPartition park(Map<Long, OwnedPartition> byLane, long id, String partitionKey, long lane) {
		OwnedPartition partition = Objects.requireNonNull(byLane.get(id));
		String key = this.settings.bindingKey(partitionKey);
		if (!key.isEmpty()) {
			partition.park(key, lane);
		}
		return partition;
	}

	private void readDueLanes(List<OwnedPartition> partitions, Map<Long, OwnedPartition> byLane, int quota) {
		if (partitions.isEmpty()) {
			return;
		}
		int maxLanes = Math.max(1, quota / 4);
		Map<OwnedPartition, List<Long>> due = new LinkedHashMap<>();
		this.jdbc.query(this.statements.dueLanes(partitions.stream().map(OwnedPartition::id).toList(), maxLanes),
				(rs) -> {
					OwnedPartition partition = park(byLane, rs.getLong(1), rs.getString(2), rs.getLong(3));
					due.computeIfAbsent(partition, (absent) -> new ArrayList<>()).add(rs.getLong(3));
				});
		Map<Range, OwnedPartition> ranges = new LinkedHashMap<>();
		due.forEach((partition, lanes) -> {
			if (lanes.size() == maxLanes) {
				partition.noteMoreIsDue();
			}
			int rows = Math.max(maxLanes, quota - partition.rows().size());
			lanes.forEach((lane) -> ranges.put(new Range(lane, -lane, Long.MAX_VALUE, Math.max(1, rows / lanes.size())),
					partition));
		});
		Map<Long, List<ClaimedRow>> rows = readLanes(ranges.keySet());
		ranges.forEach((range, partition) -> partition.addLane(range.lane(), range.limit(),
				rows.getOrDefault(range.lane(), List.of())));
	}

	private Map<Long, List<ClaimedRow>> readLanes(Collection<Range> ranges) {
		List<ClaimedRow> rows = ranges.isEmpty() ? new ArrayList<>()
				: this.jdbc.query(this.statements.read(ranges), (rs, index) -> ClaimedRow.read(rs, this.settings));
		rows.sort(Comparator.comparingLong(ClaimedRow::id));
		return rows.stream().collect(Collectors.groupingBy(ClaimedRow::lane));
	}

	// A sequence is cut at its end or left out, never at its beginning. The first message
	// of all may be larger than a batch
	private List<KeySequence> cut(List<OwnedPartition> partitions) {
		List<ClaimedSequence> sequences = partitions.stream()
			.flatMap((partition) -> partition.sequences().stream())
			.filter((sequence) -> !sequence.rows().isEmpty())
			.sorted(Comparator.comparingLong(ClaimedSequence::head))
			.toList();
		List<List<ClaimedRow>> chosen = new ArrayList<>();
		long left = this.settings.batchBytes().toBytes();
		int room = this.settings.batchSize();
		for (ClaimedSequence sequence : sequences) {
			List<ClaimedRow> first = new ArrayList<>();
			for (ClaimedRow row : sequence.rows()) {
				boolean isFirst = first.isEmpty() && chosen.isEmpty();
				if (!isFirst && (row.payloadSize() > left || (room == 0 && !sequence.isParked()))) {
					break;
				}
				left -= row.payloadSize();
				room -= sequence.isParked() ? 0 : 1;
				first.add(row);
			}
			if (!first.isEmpty()) {
				chosen.add(first);
			}
		}
		Map<Long, byte[]> payloads = loadPayloads(chosen);
		return chosen.stream()
			.map((rows) -> messages(rows, payloads))
			.filter((messages) -> !messages.isEmpty())
			.map(KeySequence::new)
			.toList();
	}

	private Map<Long, byte[]> loadPayloads(List<List<ClaimedRow>> chosen) {
		List<String> places = chosen.stream()
			.flatMap(List::stream)
			.filter((row) -> !row.hasPayload())
			.map(ClaimedRow::place)
			.toList();
		Map<Long, byte[]> payloads = new HashMap<>();
		if (!places.isEmpty()) {
			this.jdbc.query(this.statements.payloads, (rs) -> {
				payloads.put(rs.getLong(1), rs.getBytes(2));
			}, places.toString());
		}
		return payloads;
	}

	// Up to a row that was deleted by hand before its payload was loaded
	private static List<StoredMessage> messages(List<ClaimedRow> rows, Map<Long, byte[]> payloads) {
		return rows.stream()
			.map((row) -> payloads.containsKey(row.id()) ? row.with(payloads.get(row.id())) : row)
			.takeWhile(ClaimedRow::hasPayload)
			.map(ClaimedRow::message)
			.toList();
	}

}
