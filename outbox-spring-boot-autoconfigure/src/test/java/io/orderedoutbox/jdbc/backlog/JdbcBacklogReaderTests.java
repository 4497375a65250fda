/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.backlog;

import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.store.BacklogReader;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is seen of the backlog, and what it costs to look.
 */
class JdbcBacklogReaderTests {

	private static final String A_MINUTE_AGO = "UTC_TIMESTAMP(6) - INTERVAL '1' MINUTE";

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void anEmptyOutboxCostsOneStatement() {
		BacklogReader reader = reader();
		reader.read();
		assertThat(SqlLog.of(() -> assertThat(reader.read()).isEqualTo(new Backlog(0, Duration.ZERO, 0, 0, 0))))
			.hasSize(1);
	}

	@Test
	void whatWaitsIsCountedAndTheOldestThatCouldBeSentIsTheLag() {
		this.tables.commit("a", "a", "b", "");
		due("partition_key = 'b'", A_MINUTE_AGO);
		Backlog backlog = reader().read();
		assertThat(backlog.depth()).isEqualTo(4);
		assertThat(backlog.lag()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(70));
		assertThat(backlog.stalledKeys() + backlog.blockedKeys() + backlog.deadLetters()).isZero();
	}

	@Test
	void whatWaitsBehindAFailedMessageIsNoLag() {
		this.tables.commit("a", "a", "b");
		due("TRUE", A_MINUTE_AGO);
		due("partition_key = 'b'", "UTC_TIMESTAMP(6)");
		this.tables.stall("id = 1");
		assertThat(reader().read().lag()).isLessThan(Duration.ofSeconds(30));
	}

	@Test
	void whatIsNotDueYetIsNoLag() {
		this.tables.commit("a", "");
		this.tables.stall("TRUE");
		Backlog backlog = reader().read();
		assertThat(backlog).isEqualTo(new Backlog(2, Duration.ZERO, 2, 0, 0, backlog.stalledFor(), 0));
	}

	@Test
	void theOldestOfTheStalledMessagesTellsForHowLong() {
		this.tables.commit("a", "b", "c", "d", "a");
		stored("a", A_MINUTE_AGO);
		stored("b", "UTC_TIMESTAMP(6) - INTERVAL '1' HOUR");
		stored("c", "UTC_TIMESTAMP(6) - INTERVAL '2' HOUR");
		assertThat(reader().read().stalledFor()).as("nothing has failed").isZero();
		this.tables.stall("id IN (1, 4)");
		this.tables.block("id = 2");
		assertThat(reader().read().stalledFor()).as("neither what is blocked nor what waits")
			.isBetween(Duration.ofSeconds(60), Duration.ofSeconds(90));
		this.tables.operator(true, (partitions) -> {
		}).retry(MessageSelection.all());
		assertThat(reader().read().stalledFor()).isZero();
	}

	private void stored(String key, String time) {
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET created_at = %1$s, available_at = %1$s WHERE partition_key = ?"
				.formatted(time))
			.param(key)
			.update();
	}

	@Test
	void aParkedKeyThatIsDueLagsSinceItIsDue() {
		this.tables.commit("a", "b", "b");
		this.tables.stall("TRUE");
		this.tables.jdbc()
			.sql("UPDATE outbox_parked SET available_at = " + A_MINUTE_AGO + " WHERE partition_key = 'b'")
			.update();
		this.tables.refreshRetry();
		Backlog backlog = reader().read();
		assertThat(backlog.lag()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(70));
		assertThat(backlog.stalledKeys()).isEqualTo(2);
	}

	@Test
	void stalledAndBlockedKeysAreCountedApart() {
		this.tables.commit("a", "b", "c", "c", "", "d");
		this.tables.stall("partition_key IN ('a', '')");
		this.tables.block("partition_key IN ('b', 'c')");
		Backlog ordered = reader().read();
		assertThat(ordered.stalledKeys()).isEqualTo(2);
		assertThat(ordered.blockedKeys()).as("only the head of a key blocks it").isEqualTo(2);
	}

	@Test
	void withoutOrderEveryMessageThatHasFailedCountsLikeAKey() {
		this.tables.commit("a", "a", "b");
		this.tables.blockEach("partition_key = 'a'");
		assertThat(reader().read().blockedKeys()).isEqualTo(2);
	}

	@Test
	void aLaneThatIsBeingEmptiedIsNotStalled() {
		this.tables.commit("a", "a", "b", "b");
		this.tables.block("id IN (1, 3)");
		this.tables.operator(true, (partitions) -> {
		}).retry(MessageSelection.key("a"));
		this.tables.operator(true, (partitions) -> {
		}).skip(MessageSelection.key("b"));
		Backlog backlog = reader().read();
		assertThat(backlog.stalledKeys() + backlog.blockedKeys()).isZero();
		assertThat(backlog.depth()).isEqualTo(3);
	}

	@Test
	void deadLettersAreCounted() {
		this.tables.commit("a", "b", "c");
		this.tables.stall("partition_key <> 'c'");
		this.tables.operator(true, (partitions) -> {
		}).skip(MessageSelection.all());
		Backlog backlog = reader().read();
		assertThat(backlog.deadLetters()).isEqualTo(2);
		assertThat(backlog.depth()).isOne();
		assertThat(backlog.stalledKeys()).isZero();
	}

	@Test
	void tooMuchToCountIsEstimatedAndTheLagIsFoundBesideAKeyThatFillsTheFront() {
		this.tables.fillWith(5_000, "a");
		this.tables.fill(30_000, 100);
		this.tables.block("id = 1");
		due("partition_key = 'filler-7'", A_MINUTE_AGO);
		new JdbcTemplate(this.tables.writer()).execute(Servers.database()
			.choose("ANALYZE TABLE outbox_message", "ANALYZE outbox_message", "ANALYZE TABLE outbox_message"));
		Backlog backlog = reader().read();
		assertThat(backlog.depth()).isBetween(20_000L, 60_000L);
		assertThat(backlog.lag()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(90));
	}

	@Test
	void aKeyThatIsSentBitByBitIsAsLateAsItsHead() {
		this.tables.commit("a", "a");
		this.tables.stall("TRUE");
		this.tables.makeDue();
		this.tables.jdbc().sql("UPDATE outbox_message SET failed_at = NULL, available_at = " + A_MINUTE_AGO).update();
		assertThat(reader().read().lag()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(70));
	}

	@Test
	void whatTheServerGivesUpIsATimeout() {
		OutboxTables.skipOnPostgreSql("Spring knows what it says then");
		OutboxDatabase database = this.tables.outbox();
		String given = "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 3024, MESSAGE_TEXT = 'given up'";
		assertThatExceptionOfType(QueryTimeoutException.class)
			.isThrownBy(() -> database.look(Duration.ofSeconds(5), (jdbc) -> jdbc.update(given)))
			.withMessage("given up");
	}

	@Test
	void noMoreIsReadThanIsCounted() {
		this.tables.fill(50_000, 10_000);
		this.tables.stallEach("id % 2 = 0");
		BacklogStatements statements = new BacklogStatements(this.tables.outbox());
		assertThat(read(statements.count, 10_000, 1_000, 1_000, 10_000, 1_000)).isBetween(10_000L, 40_000L);
		assertThat(read(statements.lag)).isBetween(64L, 1_000L);
	}

	// With each batch that parks a key, or ends it
	@Test
	void whenAPartitionIsDueNextIsNotFoundByReadingAllItsParkedKeys() {
		this.tables.fill(10_000, 10_000);
		this.tables.stallEach("TRUE");
		assertThat(read(this.tables.statements().refreshRetry, "[1, 2, 3]")).isLessThan(50L);
	}

	// What the session has read of tables and indexes for a statement
	private long read(String statement, Object... arguments) {
		Long read = new JdbcTemplate(this.tables.writer()).execute((Connection connection) -> {
			JdbcTemplate session = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			long before = handlerReads(session);
			if (statement.startsWith("UPDATE")) {
				session.update(statement, arguments);
			}
			else {
				session.queryForList(statement, arguments);
			}
			return handlerReads(session) - before;
		});
		return Objects.requireNonNull(read);
	}

	private static long handlerReads(JdbcTemplate session) {
		OutboxTables.skipOnPostgreSql("it does not count what a statement reads");
		return session.query("SHOW SESSION STATUS LIKE 'Handler_read%'", (row, index) -> row.getLong(2))
			.stream()
			.mapToLong(Long::longValue)
			.sum();
	}

	private BacklogReader reader() {
		return new JdbcBacklogReader(this.tables.outbox());
	}

	private void due(String condition, String time) {
		this.tables.jdbc().sql("UPDATE outbox_message SET available_at = " + time + " WHERE " + condition).update();
	}

}
