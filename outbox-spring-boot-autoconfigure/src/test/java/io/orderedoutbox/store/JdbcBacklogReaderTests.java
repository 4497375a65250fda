package io.orderedoutbox.store;

import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;

import io.orderedoutbox.MessageSelection;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is seen of the backlog, and what it costs to look.
 */
class JdbcBacklogReaderTests {

	private static final String A_MINUTE_AGO = "TIMESTAMPADD(MINUTE, -1, UTC_TIMESTAMP(6))";

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void anEmptyOutboxCostsOneStatement() {
		BacklogReader reader = reader(true);
		reader.read();
		assertThat(SqlLog.of(() -> assertThat(reader.read()).isEqualTo(new Backlog(0, Duration.ZERO, 0, 0, 0))))
			.hasSize(1);
	}

	@Test
	void whatWaitsIsCountedAndTheOldestThatCouldBeSentIsTheLag() {
		this.tables.commit("a", "a", "b", "");
		due("partition_key = 'b'", A_MINUTE_AGO);
		Backlog backlog = reader(true).read();
		assertThat(backlog.depth()).isEqualTo(4);
		assertThat(backlog.lag()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(70));
		assertThat(backlog.stalledKeys() + backlog.blockedKeys() + backlog.deadLetters()).isZero();
	}

	@Test
	void whatWaitsBehindAFailedMessageIsNoLagInOrder() {
		this.tables.commit("a", "a", "b");
		due("TRUE", A_MINUTE_AGO);
		due("partition_key = 'b'", "UTC_TIMESTAMP(6)");
		this.tables.stall("id = 1");
		assertThat(reader(true).read().lag()).isLessThan(Duration.ofSeconds(30));
		assertThat(reader(false).read().lag()).isGreaterThanOrEqualTo(Duration.ofSeconds(60));
	}

	@Test
	void whatIsNotDueYetIsNoLag() {
		this.tables.commit("a", "");
		this.tables.delay("TRUE");
		assertThat(reader(true).read()).isEqualTo(new Backlog(2, Duration.ZERO, 0, 0, 0));
	}

	@Test
	void stalledAndBlockedKeysAreCountedApart() {
		this.tables.commit("a", "b", "c", "c", "", "d");
		this.tables.stall("partition_key IN ('a', '')");
		this.tables.block("partition_key IN ('b', 'c')");
		Backlog ordered = reader(true).read();
		assertThat(ordered.stalledKeys()).isEqualTo(2);
		assertThat(ordered.blockedKeys()).as("only the head of a key blocks it").isEqualTo(2);
		assertThat(reader(false).read().blockedKeys()).isEqualTo(3);
	}

	@Test
	void deadLettersAreCounted() {
		this.tables.commit("a", "b", "c");
		this.tables.stall("partition_key <> 'c'");
		this.tables.operator(true, () -> {
		}).skip(MessageSelection.all());
		Backlog backlog = reader(true).read();
		assertThat(backlog.deadLetters()).isEqualTo(2);
		assertThat(backlog.depth()).isOne();
		assertThat(backlog.stalledKeys()).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void tooMuchToCountIsEstimatedAndTheLagIsFoundBehindAKeyThatFillsTheFront(boolean ordered) {
		this.tables.fillWith(5_000, "a");
		this.tables.fill(30_000, 100);
		this.tables.delay(ordered ? "id = 1" : "partition_key = 'a'");
		due("partition_key = 'filler-7'", A_MINUTE_AGO);
		this.tables.jdbc().sql("ANALYZE TABLE outbox_message").query().listOfRows();
		Backlog backlog = reader(ordered).read();
		assertThat(backlog.depth()).isBetween(20_000L, 60_000L);
		assertThat(backlog.lag()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(90));
	}

	@Test
	void theLagIsFoundBehindMessagesWithoutAKeyThatFillTheFront() {
		this.tables.fillWith(2_000, "");
		this.tables.delay("TRUE");
		due("id = 1900", A_MINUTE_AGO);
		assertThat(reader(true).read().lag()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(90));
	}

	@Test
	void whatTheServerGivesUpIsATimeout() {
		OutboxDatabase database = new OutboxDatabase(this.tables.writer(), "outbox_");
		String given = "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 3024, MESSAGE_TEXT = 'given up'";
		assertThatExceptionOfType(QueryTimeoutException.class)
			.isThrownBy(() -> database.look(Duration.ofSeconds(5), (jdbc) -> jdbc.update(given)))
			.withMessage("given up");
	}

	@Test
	void noMoreIsReadThanIsCounted() {
		this.tables.fill(100_000, 1_000);
		this.tables.stall("id % 2 = 0");
		BacklogStatements statements = new BacklogStatements("outbox_", true);
		assertThat(read(statements.count, 10_000, 10_000, 10_000, 10_000)).isBetween(10_000L, 100_000L);
		assertThat(read(statements.lagOfWindow, 1_000)).isBetween(1_000L, 15_000L);
		assertThat(read(statements.lagOfHeads, 500, 500)).isBetween(500L, 3_000L);
	}

	// What the session has read of tables and indexes for a statement
	private long read(String statement, Object... arguments) {
		Long read = new JdbcTemplate(this.tables.writer()).execute((Connection connection) -> {
			JdbcTemplate session = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			long before = handlerReads(session);
			session.queryForList(statement, arguments);
			return handlerReads(session) - before;
		});
		return Objects.requireNonNull(read);
	}

	private static long handlerReads(JdbcTemplate session) {
		return session.query("SHOW SESSION STATUS LIKE 'Handler_read%'", (row, index) -> row.getLong(2))
			.stream()
			.mapToLong(Long::longValue)
			.sum();
	}

	private BacklogReader reader(boolean ordered) {
		return new JdbcBacklogReader(new OutboxDatabase(this.tables.writer(), "outbox_"), ordered);
	}

	private void due(String condition, String time) {
		this.tables.jdbc().sql("UPDATE outbox_message SET available_at = " + time + " WHERE " + condition).update();
	}

}
