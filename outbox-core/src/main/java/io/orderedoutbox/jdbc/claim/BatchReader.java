/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.claim.ClaimStatements.Range;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads the messages of the partitions that a claim owns, in the transaction of the
 * claim.
 * <ol>
 * <li>In partitions that have parked keys, find out which of their lanes are due.</li>
 * <li>In one statement read the lane of each partition from its cursor on, and the
 * beginnings of the lanes that are due. Where snapshots are not atomic, ask for the last
 * position of each partition first, and read up to it: a new statement sees all that was
 * committed before the position was.</li>
 * <li>Find out which keys of what was read are parked.</li>
 * <li>Put the rows together as sequences, one for each key:
 * {@link OwnedPartition#arrange}.</li>
 * <li>Cut the sequences at their ends to the size of a batch: the head of each key comes
 * before the second message of any, and older keys before younger ones. So no key waits
 * for another one that has many messages, or large ones. Parked keys, which are older
 * than others, take half of the bytes at most, if there are others. Then load the
 * payloads that were too large to be read with their rows.</li>
 * </ol>
 * A sequence begins with the oldest message of its key, and has no gap: the order of
 * messages rests on that.
 */
final class BatchReader {

	private final JdbcTemplate jdbc;

	private final Dialect dialect;

	private final ClaimStatements statements;

	private final ClaimSettings settings;

	private final List<OwnedPartition> partitions;

	private final Map<Long, OwnedPartition> byLane;

	private final int quota;

	private final Map<OwnedPartition, Integer> rooms = new HashMap<>();

	private long bytesLeft;

	private long bytesLeftOfParked;

	/**
	 * Create a reader.
	 * @param partitions what the claim owns; they remember what is read of them
	 */
	BatchReader(JdbcRelayStore store, List<OwnedPartition> partitions) {
		this.jdbc = store.database().jdbc();
		this.dialect = store.database().dialect();
		this.statements = store.statements();
		this.settings = store.settings();
		this.partitions = partitions;
		this.byLane = partitions.stream()
			.collect(Collectors.toMap((partition) -> (long) partition.id(), Function.identity()));
		this.quota = this.settings.quota(partitions.size());
		this.bytesLeft = this.settings.batchBytes().toBytes();
	}

	/**
	 * Read.
	 * @param server on which server
	 * @return what is to be sent
	 */
	List<KeySequence> read(String server) {
		findDueLanes(Math.max(1, this.quota / 4));
		readRows(server);
		findParkedKeys();
		this.partitions.forEach(OwnedPartition::arrange);
		return cut();
	}

	private void findDueLanes(int limit) {
		List<Integer> due = this.partitions.stream()
			.filter(OwnedPartition::hasDueKeys)
			.map(OwnedPartition::id)
			.toList();
		if (due.isEmpty()) {
			return;
		}
		Map<OwnedPartition, Integer> counts = new HashMap<>();
		this.jdbc.query(this.statements.dueLanes(due, limit), (rs) -> {
			OwnedPartition partition = owner(rs.getLong(1));
			partition.parkDue(this.settings.bindingKey(rs.getString(2)), rs.getLong(3));
			this.byLane.put(rs.getLong(3), partition);
			if (counts.merge(partition, 1, Integer::sum) == limit) {
				partition.noteMoreIsDue();
			}
		});
	}

	private OwnedPartition owner(long lane) {
		return Objects.requireNonNull(this.byLane.get(lane));
	}

	private void readRows(String server) {
		boolean isAtomic = this.dialect.hasAtomicSnapshots();
		Map<Integer, Long> last = isAtomic ? Map.of() : lastPositions();
		int crowded = (int) this.partitions.stream().filter((partition) -> partition.cursor().isCrowded()).count();
		List<Range> ranges = new ArrayList<>();
		for (OwnedPartition partition : this.partitions) {
			int rows = partition.cursor().isCrowded() ? ClaimSettings.lookAhead(this.quota, crowded)
					: ClaimSettings.rows(this.quota);
			ranges.addAll(partition.plan(server, this.quota, rows,
					last.getOrDefault(partition.id(), isAtomic ? Long.MAX_VALUE : 0L)));
		}
		if (!ranges.isEmpty()) {
			this.jdbc.query(this.statements.read(ranges), (rs) -> {
				ClaimedRow row = ClaimedRow.read(rs, this.settings);
				owner(row.lane()).add(row);
			});
		}
	}

	private Map<Integer, Long> lastPositions() {
		Map<Integer, Long> last = new HashMap<>();
		this.jdbc.query(this.statements.last(this.partitions.stream().map(OwnedPartition::id).toList()), (rs) -> {
			last.put(rs.getInt(1), rs.getLong(2));
		});
		return last;
	}

	private void findParkedKeys() {
		List<String> keys = this.partitions.stream()
			.filter(OwnedPartition::hasParkedKeys)
			.flatMap((partition) -> partition.rows()
				.stream()
				.map(ClaimedRow::key)
				.filter((key) -> !key.isEmpty())
				.distinct()
				.map((key) -> "[%d,%d]".formatted(partition.id(), Partitions.hash(key))))
			.toList();
		if (!keys.isEmpty()) {
			this.jdbc.query(this.statements.parkedKeys, (rs) -> {
				owner(rs.getLong(1)).park(this.settings.bindingKey(rs.getString(2)), rs.getLong(3));
			}, keys.toString());
		}
	}

	// A sequence is cut at its end or left out, never at its beginning
	private List<KeySequence> cut() {
		List<ClaimedSequence> sequences = this.partitions.stream()
			.flatMap((partition) -> partition.sequences().stream())
			.filter((sequence) -> !sequence.rows().isEmpty())
			.sorted(Comparator.comparingLong(ClaimedSequence::head))
			.toList();
		this.bytesLeftOfParked = this.bytesLeft / (sequences.stream().allMatch(ClaimedSequence::isParked) ? 1 : 2);
		int[] chosen = new int[sequences.size()];
		choose(sequences, chosen, 1);
		choose(sequences, chosen, Integer.MAX_VALUE);
		List<List<ClaimedRow>> rows = IntStream.range(0, chosen.length)
			.filter((index) -> chosen[index] > 0)
			.mapToObj((index) -> sequences.get(index).rows().subList(0, chosen[index]))
			.toList();
		Map<Long, byte[]> payloads = loadPayloads(rows);
		return rows.stream()
			.map((ofKey) -> messages(ofKey, payloads))
			.filter((messages) -> !messages.isEmpty())
			.map(KeySequence::new)
			.toList();
	}

	private void choose(List<ClaimedSequence> sequences, int[] chosen, int most) {
		for (int index = 0; index < chosen.length; index++) {
			ClaimedSequence sequence = sequences.get(index);
			OwnedPartition partition = sequence.partition();
			int room = this.rooms.getOrDefault(partition, this.quota) + chosen[index];
			int end = Math.min(Math.min(most, room), partition.sendable(sequence));
			while (chosen[index] < end && fits(sequence, sequence.rows().get(chosen[index]))) {
				chosen[index]++;
			}
			this.rooms.put(partition, room - chosen[index]);
		}
	}

	// The first message of all may be larger than a batch
	private boolean fits(ClaimedSequence sequence, ClaimedRow row) {
		long size = row.payloadSize();
		long left = sequence.isParked() ? Math.min(this.bytesLeft, this.bytesLeftOfParked) : this.bytesLeft;
		boolean fits = size <= left || this.rooms.isEmpty();
		this.bytesLeft -= fits ? size : 0;
		this.bytesLeftOfParked -= (fits && sequence.isParked()) ? size : 0;
		return fits;
	}

	private Map<Long, byte[]> loadPayloads(List<List<ClaimedRow>> chosen) {
		List<String> places = chosen.stream()
			.flatMap(List::stream)
			.filter((row) -> !row.hasPayload())
			.map((row) -> SqlFragments.place(row.lane(), row.id()))
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
