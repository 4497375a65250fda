/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Messages that are stuck, to be retried or skipped.
 * <p>
 * Only who has locked the row of a partition may change its parked keys. A verb has to
 * wait for it: a relay owns a busy partition nearly all the time.
 */
final class StuckTargets implements VerbTargets {

	private final OutboxDatabase database;

	private final AdministrationStatements statements;

	private final PartitionLock partitionLock;

	private final boolean retry;

	private final MessageSelection selection;

	StuckTargets(OutboxDatabase database, AdministrationStatements statements, OperatorVerb verb,
			MessageSelection selection) {
		this.database = database;
		this.statements = statements;
		this.partitionLock = new PartitionLock(database, statements);
		this.retry = verb == OperatorVerb.RETRY;
		this.selection = selection;
	}

	@Override
	public List<VerbTarget> next(JdbcTemplate jdbc, String began, long after, int limit) {
		return VerbTarget.selected(this.selection, limit, after,
				(from) -> jdbc.query(this.statements.nextStuck(this.selection), this::target,
						this.statements.arguments(this.selection, limit, -from, began)));
	}

	private VerbTarget target(ResultSet rs, int index) throws SQLException {
		return new VerbTarget(rs.getLong("position"), rs.getLong("id"), rs.getInt("partition_id"),
				rs.getString("message_id"), rs.getString("partition_key"), rs.getLong("bytes"),
				SelectionFragments.failure(this.selection, rs));
	}

	@Override
	public List<List<VerbTarget>> divide(List<VerbTarget> targets) {
		return VerbTarget.ofFewPartitions(targets);
	}

	@Override
	public LockedTargets lock(JdbcTemplate jdbc, List<VerbTarget> targets, String began) {
		Set<Integer> locked = this.partitionLock.lock(jdbc, VerbTarget.partitions(targets));
		Set<Long> stuck = new HashSet<>(
				jdbc.queryForList(this.statements.verifyStuck, Long.class, places(targets), began));
		return LockedTargets.of(targets, stuck, (target) -> locked.contains(target.partition()));
	}

	private static String places(List<VerbTarget> targets) {
		return targets.stream()
			.map((target) -> SqlFragments.place(-target.position(), target.id()))
			.toList()
			.toString();
	}

	@Override
	public Set<Integer> change(JdbcTemplate jdbc, List<VerbTarget> targets) {
		String lanes = targets.stream().map((target) -> -target.position()).toList().toString();
		jdbc.update(this.statements.makeDue, lanes);
		if (this.retry) {
			jdbc.update(this.statements.forgetFailure, places(targets));
		}
		else {
			jdbc.update(this.database.statements().bury, places(targets));
			jdbc.update(this.database.statements().delete, places(targets));
			List<Long> empty = jdbc.queryForList(this.statements.emptyLanes, Long.class, lanes);
			if (!empty.isEmpty()) {
				jdbc.update(this.database.statements().closeLanes, empty.toString());
			}
		}
		Set<Integer> partitions = VerbTarget.partitions(targets);
		jdbc.update(this.database.statements().refreshRetry, partitions.toString());
		return partitions;
	}

}
