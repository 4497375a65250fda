/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.admin.ArchiveReplay;
import io.orderedoutbox.jdbc.OutboxDatabase;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Messages of the archive, to be put into the outbox again.
 * <p>
 * Messages of a key are replayed in the order of their ids, which is that of their
 * publication. What is being removed from the archive is passed over.
 */
final class ArchiveTargets implements VerbTargets {

	private final Tails tails;

	private final OutboxDatabase database;

	private final ReplayStatements statements;

	private final ArchiveReplay replay;

	private final RowMapper<VerbTarget> target;

	// What the range of time spans: else all of the archive would be looked through
	private @Nullable IdRange range;

	ArchiveTargets(OutboxDatabase database, boolean ordered, ArchiveReplay replay) {
		this.tails = new Tails(database, ordered);
		this.database = database;
		this.statements = new ReplayStatements(database.dialect().sql(), database.tablePrefix(), replay);
		this.replay = replay;
		this.target = (rs, index) -> new VerbTarget(rs.getLong("id"), rs.getLong("id"),
				this.tails.partition(rs.getString("partition_key")), rs.getString("message_id"),
				rs.getString("partition_key"), rs.getLong("bytes"));
	}

	@Override
	public List<VerbTarget> next(JdbcTemplate jdbc, String began, long after, int limit) {
		IdRange within = within(jdbc);
		int pace = (this.replay.perSecond() > 0) ? Math.min(limit, this.replay.perSecond()) : limit;
		List<Object> arguments = new ArrayList<>(List.of(Math.max(after, within.first() - 1), within.last(), began));
		arguments.addAll(SelectionFragments.value(this.database.dialect().sql(), this.replay.selection()));
		arguments.add(pace);
		return jdbc.query(this.statements.next, this.target, arguments.toArray());
	}

	private IdRange within(JdbcTemplate jdbc) {
		IdRange known = this.range;
		if (known == null) {
			known = IdRange.find(jdbc, this.database, this.replay.published());
			this.range = known;
		}
		return known;
	}

	@Override
	public List<List<VerbTarget>> divide(List<VerbTarget> targets) {
		return VerbTarget.chunks(targets, Integer.MAX_VALUE);
	}

	@Override
	public LockedTargets lock(JdbcTemplate jdbc, List<VerbTarget> targets, String began) {
		String ids = VerbTarget.ids(targets);
		Set<Long> locked = new HashSet<>(jdbc.queryForList(this.statements.lock, Long.class, ids));
		Set<Long> there = new HashSet<>(jdbc.queryForList(this.statements.verify, Long.class, ids));
		return LockedTargets.of(targets, there, (target) -> locked.contains(target.id()));
	}

	@Override
	public Set<Integer> change(JdbcTemplate jdbc, List<VerbTarget> targets) {
		Tails.Places places = this.tails.lock(jdbc, targets);
		jdbc.update(this.statements.replay, this.statements.arguments(places.json()));
		return places.partitions();
	}

}
