package io.orderedoutbox.store;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import io.orderedoutbox.BoundedCount;
import io.orderedoutbox.OutboxFigures;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Counts what waits, and finds out for how long it could have been sent: for metrics,
 * health, endpoint and page alike, so that all of them mean the same.
 */
final class BacklogLook {

	private static final int WINDOW = 1_000;

	private static final int MOST_HEADS = OutboxFigures.MAX_KEYS;

	private final JdbcTemplate jdbc;

	private final BacklogStatements statements;

	BacklogLook(JdbcTemplate jdbc, BacklogStatements statements) {
		this.jdbc = jdbc;
		this.statements = statements;
	}

	/**
	 * Count up to limits.
	 */
	Counts count(int messages, int failed, int letters) {
		return Objects.requireNonNull(this.jdbc.queryForObject(this.statements.count, (rs, index) -> {
			boolean more = rs.getLong("failed") > failed;
			long blocked = rs.getLong("blocked");
			return new Counts(BoundedCount.of(rs.getLong("depth"), messages),
					new BoundedCount(rs.getLong("stuck") - blocked, more), new BoundedCount(blocked, more),
					BoundedCount.of(rs.getLong("letters"), letters));
		}, messages + 1, failed + 1, failed, letters + 1));
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
	 * none was found: first among the oldest messages, and if none of them can be sent
	 * among the first messages of keys in their order. The oldest is what it says in the
	 * first case, and in the second as long as there are no more keys than are looked at.
	 * @param depth how many messages there are, at least as far as it matters here
	 */
	@Nullable Duration lag(long depth) {
		Long micros = (depth > 0) ? this.jdbc.queryForObject(this.statements.lagOfWindow, Long.class, WINDOW) : null;
		if (micros == null && depth > WINDOW) {
			micros = lagElsewhere();
		}
		return (micros != null) ? Duration.of(micros, ChronoUnit.MICROS) : null;
	}

	private @Nullable Long lagElsewhere() {
		return this.statements.ordered
				? this.jdbc.queryForObject(this.statements.lagOfHeads, Long.class, MOST_HEADS, MOST_HEADS)
				: this.jdbc.queryForObject(this.statements.lagOfWindow, Long.class, MOST_HEADS);
	}

	/**
	 * What was counted.
	 *
	 * @param messages messages in the outbox
	 * @param stalled partition keys whose head has failed and is tried again
	 * @param blocked partition keys whose head waits for an operator
	 * @param deadLetters dead letters
	 */
	record Counts(BoundedCount messages, BoundedCount stalled, BoundedCount blocked, BoundedCount deadLetters) {

	}

}
