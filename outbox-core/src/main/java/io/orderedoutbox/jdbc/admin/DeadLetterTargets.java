/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OperatorVerb;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Dead letters, to be requeued or discarded.
 * <p>
 * Dead letters of a key that are behind one that another operator has locked are not
 * requeued, because they would change places with it.
 */
final class DeadLetterTargets implements VerbTargets {

	private final AdministrationStatements statements;

	private final Tails tails;

	private final boolean requeue;

	private final MessageSelection selection;

	private final Set<String> passedOverKeys = new HashSet<>();

	DeadLetterTargets(Tails tails, AdministrationStatements statements, OperatorVerb verb, MessageSelection selection) {
		this.statements = statements;
		this.tails = tails;
		this.requeue = verb == OperatorVerb.REQUEUE;
		this.selection = selection;
	}

	private VerbTarget target(ResultSet rs, int index) throws SQLException {
		return new VerbTarget(rs.getLong("id"), rs.getLong("id"), this.tails.partition(rs.getString("partition_key")),
				rs.getString("message_id"), rs.getString("partition_key"), rs.getLong("bytes"),
				SelectionFragments.failure(this.selection, rs));
	}

	@Override
	public List<VerbTarget> next(JdbcTemplate jdbc, String began, long after, int limit) {
		return VerbTarget.selected(this.selection, limit, after,
				(from) -> jdbc.query(this.statements.nextDeadLetters(this.selection), this::target,
						this.statements.arguments(this.selection, limit, from, began)));
	}

	@Override
	public List<List<VerbTarget>> divide(List<VerbTarget> targets) {
		return VerbTarget.chunks(targets, Integer.MAX_VALUE);
	}

	@Override
	public LockedTargets lock(JdbcTemplate jdbc, List<VerbTarget> targets, String began) {
		String ids = VerbTarget.ids(targets);
		Set<Long> locked = new HashSet<>(jdbc.queryForList(this.statements.lockDeadLetters, Long.class, ids));
		Set<Long> dead = new HashSet<>(jdbc.queryForList(this.statements.verifyDeadLetters, Long.class, ids, began));
		List<VerbTarget> taken = new ArrayList<>();
		for (VerbTarget target : targets.stream().filter((target) -> dead.contains(target.id())).toList()) {
			if (locked.contains(target.id()) && !this.passedOverKeys.contains(target.partitionKey())) {
				taken.add(target);
			}
			else if (this.requeue && target.partition() != Tails.ANY) {
				this.passedOverKeys.add(target.partitionKey());
			}
		}
		return new LockedTargets(taken, dead.size() - taken.size());
	}

	@Override
	public Set<Integer> change(JdbcTemplate jdbc, List<VerbTarget> targets) {
		Set<Integer> partitions = Set.of();
		if (this.requeue) {
			Tails.Places places = this.tails.lock(jdbc, targets);
			partitions = places.partitions();
			jdbc.update(this.statements.requeue, places.json());
		}
		jdbc.update(this.statements.discard, VerbTarget.ids(targets));
		return partitions;
	}

}
