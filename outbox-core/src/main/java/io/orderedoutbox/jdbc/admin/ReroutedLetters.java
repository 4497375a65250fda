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

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Dead letters that are to go elsewhere once they are requeued. They stay dead letters,
 * with their attempts and their errors.
 */
final class ReroutedLetters implements VerbTargets {

	// Of no partition: nothing of the outbox itself is locked for them
	private static final RowMapper<VerbTarget> TARGET = (rs, index) -> new VerbTarget(rs.getLong("id"),
			rs.getLong("id"), 0, rs.getString("message_id"), rs.getString("partition_key"), rs.getLong("bytes"));

	private final AdministrationStatements statements;

	private final RerouteStatements rerouting;

	ReroutedLetters(AdministrationStatements statements, RerouteStatements rerouting) {
		this.statements = statements;
		this.rerouting = rerouting;
	}

	@Override
	public List<VerbTarget> next(JdbcTemplate jdbc, String began, long after, int limit) {
		List<Object> arguments = new ArrayList<>(List.of(after, began));
		arguments.addAll(this.rerouting.matching());
		arguments.add(limit);
		return jdbc.query(this.rerouting.nextLetters, TARGET, arguments.toArray());
	}

	@Override
	public List<List<VerbTarget>> divide(List<VerbTarget> targets) {
		return VerbTarget.chunks(targets, Integer.MAX_VALUE);
	}

	@Override
	public LockedTargets lock(JdbcTemplate jdbc, List<VerbTarget> targets, String began) {
		String ids = VerbTarget.ids(targets);
		Set<Long> locked = new HashSet<>(jdbc.queryForList(this.statements.lockDeadLetters, Long.class, ids));
		Object[] arguments = Stream.concat(Stream.of(ids), this.rerouting.matching().stream()).toArray();
		Set<Long> dead = new HashSet<>(jdbc.queryForList(this.rerouting.verifyLetters, Long.class, arguments));
		return LockedTargets.of(targets, dead, (target) -> locked.contains(target.id()));
	}

	@Override
	public Set<Integer> change(JdbcTemplate jdbc, List<VerbTarget> targets) {
		jdbc.update(this.rerouting.rerouteLetters,
				Stream.concat(Stream.of(VerbTarget.ids(targets)), this.rerouting.target().stream()).toArray());
		return Set.of();
	}

}
