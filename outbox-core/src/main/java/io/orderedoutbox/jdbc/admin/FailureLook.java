/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.orderedoutbox.admin.FailureGroup;
import io.orderedoutbox.admin.FailureGroups;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.admin.TimeRange;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Groups what has failed by destination and cause: the heads of the keys that were parked
 * first, as many as are counted for the figures, and as many of the oldest dead letters.
 */
final class FailureLook {

	private static final int MOST = OutboxFigures.MAX_FAILED;

	private static final Comparator<FailureGroup> MOST_FIRST = Comparator.comparingLong(FailureGroup::keys)
		.thenComparingLong(FailureGroup::deadLetters)
		.reversed()
		.thenComparing(FailureGroup::group);

	private final JdbcTemplate jdbc;

	private final InspectionStatements statements;

	FailureLook(JdbcTemplate jdbc, InspectionStatements statements) {
		this.jdbc = jdbc;
		this.statements = statements;
	}

	FailureGroups groups(TimeRange range) {
		boolean more = !LookedRange.find(this.jdbc, this.statements.rangeOfParkedKeys, MOST + 1, 0, MOST + 1)
			.isTheLast();
		List<Listed> stuck = this.jdbc.query(this.statements.firstStuck(range), Listed.MESSAGE, MOST);
		List<Listed> dead = this.jdbc.query(this.statements.listDeadLetters(MessageSelection.all(), range),
				Listed.MESSAGE, 0, MOST + 1);
		Map<Failure, FailureGroup> groups = new HashMap<>();
		Stream.of(stuck, dead.subList(0, Math.min(MOST, dead.size())))
			.flatMap(Collection::stream)
			.map(Listed::message)
			.forEach((message) -> add(groups, message));
		return new FailureGroups(groups.values().stream().sorted(MOST_FIRST).limit(FailureGroups.MAX_GROUPS).toList(),
				more || dead.size() > MOST || groups.size() > FailureGroups.MAX_GROUPS);
	}

	private static void add(Map<Failure, FailureGroup> groups, MessageSummary message) {
		Failure failure = Failure.of(message);
		groups.merge(failure,
				new FailureGroup(failure.group(), failure.exchange(), failure.cause(),
						count(message, MessageState.STALLED), count(message, MessageState.BLOCKED),
						count(message, MessageState.DEAD), message.createdAt(), message),
				FailureLook::merged);
	}

	private static int count(MessageSummary message, MessageState state) {
		return (message.state() == state) ? 1 : 0;
	}

	private static FailureGroup merged(FailureGroup group, FailureGroup other) {
		return new FailureGroup(group.group(), group.exchange(), group.cause(), group.stalled() + other.stalled(),
				group.blocked() + other.blocked(), group.deadLetters() + other.deadLetters(),
				group.oldest().isBefore(other.oldest()) ? group.oldest() : other.oldest(),
				isBetter(other.example(), group.example()) ? other.example() : group.example());
	}

	private static boolean isBetter(MessageSummary message, MessageSummary example) {
		boolean isDead = message.state() == MessageState.DEAD;
		boolean isOfDead = example.state() == MessageState.DEAD;
		return (isDead == isOfDead) ? message.createdAt().isBefore(example.createdAt()) : isOfDead;
	}

}
