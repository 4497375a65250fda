/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxStatements;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Messages in the outbox that are to be changed, to go elsewhere or to be sent before
 * their time: those that have failed, those that wait behind them, and all others.
 * <p>
 * Who has locked the row of a partition knows that no relay is sending a message of the
 * partition, nor moving one to another lane: so the lanes are read after the lock. A key
 * whose first message is changed is due at once.
 */
final class ChangedMessages implements VerbTargets {

	private static final int MOST = OutboxFigures.MAX_EXAMINED;

	private static final RowMapper<VerbTarget> TARGET = (rs, index) -> new VerbTarget(rs.getLong("id"),
			rs.getLong("id"), rs.getInt("partition_id"), rs.getString("message_id"), rs.getString("partition_key"),
			rs.getLong("bytes"));

	private static final RowMapper<Place> PLACE = (rs, index) -> new Place(rs.getLong("lane"), rs.getLong("id"),
			rs.getBoolean("is_head"));

	private final OutboxStatements shared;

	private final AdministrationStatements statements;

	private final MessageChange change;

	private final PartitionLock partitionLock;

	// What comes later is not looked at: else the call would not end beside a busy writer
	private @Nullable Long end;

	ChangedMessages(OutboxDatabase database, AdministrationStatements statements, MessageChange change) {
		this.shared = database.statements();
		this.statements = statements;
		this.change = change;
		this.partitionLock = new PartitionLock(database, statements);
	}

	@Override
	public List<VerbTarget> next(JdbcTemplate jdbc, String began, long after, int limit) {
		long last = end(jdbc);
		List<VerbTarget> found = new ArrayList<>();
		long from = after;
		while (from < last && found.size() < limit) {
			LookedRange range = LookedRange.find(jdbc, this.change.range, MOST, from, last, MOST);
			List<Object> arguments = new ArrayList<>(List.of(from, range.last()));
			arguments.addAll(this.change.matching());
			arguments.add(limit - found.size());
			found.addAll(jdbc.query(this.change.next, TARGET, arguments.toArray()));
			from = range.isTheLast() ? last : range.last();
		}
		return found;
	}

	private long end(JdbcTemplate jdbc) {
		if (this.end == null) {
			Long last = DataAccessUtils.singleResult(jdbc.queryForList(this.change.lastPosition, Long.class));
			this.end = (last != null) ? last : 0;
		}
		return this.end;
	}

	@Override
	public List<List<VerbTarget>> divide(List<VerbTarget> targets) {
		return VerbTarget.ofFewPartitions(targets);
	}

	@Override
	public LockedTargets lock(JdbcTemplate jdbc, List<VerbTarget> targets, String began) {
		Set<Integer> locked = this.partitionLock.lock(jdbc, VerbTarget.partitions(targets));
		Set<Long> there = new HashSet<>(places(jdbc, targets).stream().map(Place::id).toList());
		return LockedTargets.of(targets, there, (target) -> locked.contains(target.partition()));
	}

	private List<Place> places(JdbcTemplate jdbc, List<VerbTarget> targets) {
		Object[] arguments = Stream.concat(Stream.of(VerbTarget.ids(targets)), this.change.matching().stream())
			.toArray();
		return jdbc.query(this.change.places, PLACE, arguments);
	}

	@Override
	public Set<Integer> change(JdbcTemplate jdbc, List<VerbTarget> targets) {
		List<Place> places = places(jdbc, targets);
		String json = places.stream().map((place) -> SqlFragments.place(place.lane(), place.id())).toList().toString();
		jdbc.update(this.change.change, Stream.concat(Stream.of(json), this.change.target().stream()).toArray());
		List<Long> lanes = places.stream().filter(Place::isHead).map(Place::lane).toList();
		Set<Integer> partitions = VerbTarget.partitions(targets);
		if (!lanes.isEmpty()) {
			jdbc.update(this.statements.makeDue, lanes.toString());
			jdbc.update(this.shared.refreshRetry, partitions.toString());
		}
		return partitions;
	}

	/**
	 * Where a message is.
	 *
	 * @param lane the lane
	 * @param id the position
	 * @param isHead whether it is the first in the lane of a parked key
	 */
	private record Place(long lane, long id, boolean isHead) {

	}

}
