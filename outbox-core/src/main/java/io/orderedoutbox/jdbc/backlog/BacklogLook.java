/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.backlog;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import io.orderedoutbox.admin.BoundedCount;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Counts what waits, and finds out for how long it could have been sent: for metrics,
 * health, endpoint and page alike, so that all of them mean the same.
 */
public final class BacklogLook {

	private final JdbcTemplate jdbc;

	private final BacklogStatements statements;

	/**
	 * Create a look at the backlog.
	 * @param jdbc asks, within a time limit of its own
	 * @param statements what it asks
	 */
	public BacklogLook(JdbcTemplate jdbc, BacklogStatements statements) {
		this.jdbc = jdbc;
		this.statements = statements;
	}

	/**
	 * Count up to limits.
	 */
	public Counts count(int messages, int parked, int letters) {
		return Objects.requireNonNull(this.jdbc.queryForObject(this.statements.count, (rs, index) -> {
			boolean more = rs.getLong("parked") > parked;
			long blocked = rs.getLong("blocked");
			return new Counts(BoundedCount.of(rs.getLong("depth"), messages),
					new BoundedCount(rs.getLong("stuck") - blocked, more), new BoundedCount(blocked, more),
					BoundedCount.of(rs.getLong("letters"), letters),
					BoundedCount.of(rs.getLong("delayed_keys"), parked), micros(rs.getLong("stalled_for")));
		}, messages + 1, parked + 1, parked, letters + 1, parked + 1));
	}

	/**
	 * How many messages there are, as the optimizer sees it.
	 */
	long estimate() {
		return Objects
			.requireNonNull(this.jdbc.queryForObject(this.statements.estimate, (rs, index) -> rs.getLong("rows")));
	}

	/**
	 * For how long the oldest message that could be sent has been due, {@code null} if
	 * there is none.
	 */
	public @Nullable Duration lag() {
		Long micros = this.jdbc.queryForObject(this.statements.lag, Long.class);
		return (micros != null) ? micros(micros) : null;
	}

	private static Duration micros(long micros) {
		return Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
	}

	/**
	 * What was counted.
	 *
	 * @param messages messages in the outbox
	 * @param stalled partition keys whose head has failed and is tried again
	 * @param blocked partition keys whose head waits for an operator
	 * @param deadLetters dead letters
	 * @param delayed partition keys that wait for the time of their heads
	 * @param stalledFor for how long the oldest of the stalled heads could have been sent
	 */
	public record Counts(BoundedCount messages, BoundedCount stalled, BoundedCount blocked, BoundedCount deadLetters,
			BoundedCount delayed, Duration stalledFor) {

	}

}
