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
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.claim.ClaimStatements.Range;
import io.orderedoutbox.store.KeySequence;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads the messages of the partitions that a claim owns, in the transaction of the
 * claim.
 * <ol>
 * <li>Each partition has the same quota of rows. Read what waits from earlier batches by
 * its places, and what is new by a range from the cursor on. Where snapshots are not
 * atomic, ask for the last position of each lane first, and read up to it in a new
 * statement: what is below a position that was seen is then there as well.</li>
 * <li>In partitions that have parked keys, find out which of the keys are parked, and
 * read from the lanes of those that are due.</li>
 * <li>Put the rows together as sequences, one for each key. A row whose key is parked is
 * moved to the lane of the key, unless all of that lane was read: then it follows. A row
 * behind another of its key that waits and was not read is left alone.</li>
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

	BatchReader(OutboxDatabase database, ClaimStatements statements, ClaimSettings settings) {
		this.jdbc = database.jdbc();
		this.dialect = database.dialect();
		this.statements = statements;
		this.settings = settings;
	}

	/**
	 * Read.
	 * @param partitions what the claim owns; they remember what is read of them
	 * @param server on which server
	 * @return what is to be sent
	 */
	List<KeySequence> read(List<OwnedPartition> partitions, String server) {
		int quota = Math.max(1, this.settings.batchSize() / partitions.size());
		partitions.forEach((partition) -> partition.plan(quota, server));
		Map<Long, OwnedPartition> byLane = partitions.stream()
			.collect(Collectors.toMap((partition) -> (long) partition.id(), Function.identity()));
		readWaiting(partitions, byLane);
		readNew(partitions, byLane);
		List<OwnedPartition> parked = partitions.stream().filter(OwnedPartition::hasParkedKeys).toList();
		findParkedKeys(parked, byLane);
		readDueLanes(parked.stream().filter(OwnedPartition::hasDueKeys).toList(), byLane, quota);
		partitions.forEach(this::arrange);
		return cut(partitions);
	}

	private void readWaiting(List<OwnedPartition> partitions, Map<Long, OwnedPartition> byLane) {
		List<String> places = new ArrayList<>();
		for (OwnedPartition partition : partitions) {
			partition.waiting()
				.values()
				.forEach((ids) -> ids.forEach((id) -> places.add("[%d,%d]".formatted(partition.id(), id))));
		}
		if (!places.isEmpty()) {
			this.jdbc.query(this.statements.readPlaces, (rs) -> {
				add(ClaimedRow.read(rs, this.settings), byLane);
			}, places.toString());
		}
	}

	private static void add(ClaimedRow row, Map<Long, OwnedPartition> byLane) {
		OwnedPartition partition = byLane.get(row.lane());
		if (partition != null) {
			partition.add(row);
		}
	}

	private void readNew(List<OwnedPartition> partitions, Map<Long, OwnedPartition> byLane) {
		List<OwnedPartition> open = partitions.stream().filter((partition) -> partition.limit() > 0).toList();
		Map<Long, Long> last = this.dialect.hasAtomicSnapshots() ? Map.of() : last(open);
		List<Range> ranges = open.stream()
			.filter((partition) -> this.dialect.hasAtomicSnapshots() || last.containsKey((long) partition.id()))
			.map((partition) -> new Range(partition.id(), partition.from(),
					last.getOrDefault((long) partition.id(), Long.MAX_VALUE), partition.limit()))
			.toList();
		if (!ranges.isEmpty()) {
			this.jdbc.query(this.statements.read(ranges), (rs) -> {
				add(ClaimedRow.read(rs, this.settings), byLane);
			});
		}
	}

	private Map<Long, Long> last(List<OwnedPartition> partitions) {
		Map<Long, Long> last = new HashMap<>();
		if (!partitions.isEmpty()) {
			this.jdbc.query(this.statements.last(partitions.stream().map(OwnedPartition::id).toList()), (rs) -> {
				last.put(rs.getLong(1), rs.getLong(2));
			});
		}
		return last;
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

	private void park(Map<Long, OwnedPartition> byLane, long partition, String partitionKey, long lane) {
		OwnedPartition owned = byLane.get(partition);
		String key = this.settings.bindingKey(partitionKey);
		if (owned != null && !key.isEmpty()) {
			owned.park(key, lane);
		}
	}

	private void readDueLanes(List<OwnedPartition> partitions, Map<Long, OwnedPartition> byLane, int quota) {
		if (partitions.isEmpty()) {
			return;
		}
		int most = Math.max(1, quota / 4);
		Map<OwnedPartition, List<Long>> due = new LinkedHashMap<>();
		partitions.forEach((partition) -> due.put(partition, new ArrayList<>()));
		this.jdbc.query(this.statements.dueLanes(partitions.stream().map(OwnedPartition::id).toList(), most), (rs) -> {
			OwnedPartition partition = Objects.requireNonNull(byLane.get(rs.getLong(1)));
			park(byLane, rs.getLong(1), rs.getString(2), rs.getLong(3));
			Objects.requireNonNull(due.get(partition)).add(rs.getLong(3));
		});
		Map<Range, OwnedPartition> ranges = new LinkedHashMap<>();
		due.forEach((partition, lanes) -> {
			if (lanes.size() == most) {
				partition.moreLanesAreDue();
			}
			int rows = Math.max(most, quota - partition.rows().size());
			lanes.forEach((lane) -> ranges.put(new Range(lane, -lane, Long.MAX_VALUE, Math.max(1, rows / lanes.size())),
					partition));
		});
		Map<Long, List<ClaimedRow>> rows = readLanes(ranges.keySet());
		ranges.forEach((range, partition) -> partition.begin(range.lane(), range.limit(),
				rows.getOrDefault(range.lane(), List.of())));
	}

	private Map<Long, List<ClaimedRow>> readLanes(Collection<Range> ranges) {
		List<ClaimedRow> rows = new ArrayList<>();
		if (!ranges.isEmpty()) {
			this.jdbc.query(this.statements.read(ranges), (rs) -> {
				rows.add(ClaimedRow.read(rs, this.settings));
			});
		}
		rows.sort(Comparator.comparingLong(ClaimedRow::id));
		return rows.stream().collect(Collectors.groupingBy(ClaimedRow::lane));
	}

	private void arrange(OwnedPartition partition) {
		Map<Long, ClaimedSequence> byLane = partition.sequences()
			.stream()
			.collect(Collectors.toMap(ClaimedSequence::lane, Function.identity()));
		Map<String, ClaimedSequence> byKey = new HashMap<>();
		for (ClaimedRow row : partition.rows()) {
			Long lane = partition.parkedLane(row.key());
			ClaimedSequence parked = (lane != null) ? byLane.get(lane) : null;
			if (row.key().isEmpty()) {
				partition.begin().add(row);
			}
			else if (!partition.isBehindUnread(row)) {
				if (lane == null) {
					byKey.computeIfAbsent(row.key(), (absent) -> partition.begin()).add(row);
				}
				else if (parked != null && parked.isWhole()) {
					parked.add(row);
				}
				else {
					partition.move(row, lane);
				}
			}
		}
	}

	// A sequence is cut at its end or left out, never at its beginning
	private List<KeySequence> cut(List<OwnedPartition> partitions) {
		List<ClaimedSequence> sequences = partitions.stream()
			.flatMap((partition) -> partition.sequences().stream())
			.filter((sequence) -> !sequence.rows().isEmpty())
			.sorted(Comparator.comparingLong(ClaimedSequence::head))
			.toList();
		Map<ClaimedSequence, Integer> lengths = new LinkedHashMap<>();
		long bytes = 0;
		for (ClaimedSequence sequence : sequences) {
			int length = 0;
			for (ClaimedRow row : sequence.rows()) {
				boolean isFirst = length == 0 && lengths.isEmpty();
				if (!isFirst && bytes + row.payloadSize() > this.settings.batchBytes().toBytes()) {
					break;
				}
				bytes += row.payloadSize();
				length++;
			}
			if (length > 0) {
				lengths.put(sequence, length);
			}
		}
		loadPayloads(lengths);
		return lengths.entrySet().stream().map((entry) -> entry.getKey().first(entry.getValue())).toList();
	}

	private void loadPayloads(Map<ClaimedSequence, Integer> lengths) {
		List<String> places = new ArrayList<>();
		lengths.forEach((sequence, length) -> sequence.rows()
			.stream()
			.limit(length)
			.filter((row) -> !row.hasPayload())
			.forEach((row) -> places.add(row.place())));
		if (places.isEmpty()) {
			return;
		}
		Map<Long, byte[]> payloads = new HashMap<>();
		this.jdbc.query(this.statements.payloads, (rs) -> {
			payloads.put(rs.getLong(1), rs.getBytes(2));
		}, places.toString());
		lengths.keySet().forEach((sequence) -> sequence.load(payloads));
	}

}
