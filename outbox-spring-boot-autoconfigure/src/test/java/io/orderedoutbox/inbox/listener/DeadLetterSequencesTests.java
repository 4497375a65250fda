/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.sql.DataSource;

import io.orderedoutbox.inbox.InboxSql;
import io.orderedoutbox.inbox.ParkingTime;
import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.InterceptedDataSource;
import io.orderedoutbox.testing.LockWait;
import io.orderedoutbox.testing.OutboxApplication;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the table of dead letters says, and what that costs, on a real database.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class DeadLetterSequencesTests {

	private final Database database = Servers.database().fresh();

	private OutboxApplication application;

	private DeadLetterSequences sequences;

	@BeforeEach
	void start() {
		this.application = OutboxApplication.on(this.database).withInboxAlone().start();
		this.sequences = this.application.bean(DeadLetterSequences.class);
		// 11,000 of billing and 1,000 of others, of 40 keys each
		String bytes = this.database.choose("CONCAT('', %s)", "convert_to(CONCAT(%s), 'UTF8')", "CONCAT('', %s)");
		this.application.jdbc()
			.sql("""
					INSERT INTO inbox_dead_letter (shards, ordering_key, message_id, created_at)
					WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
					SELECT %s, %s, %s, UTC_TIMESTAMP(6) - INTERVAL '1' HOUR
					FROM (SELECT i FROM n WHERE i < 12) k CROSS JOIN n ORDER BY k.i, n.i""".formatted(
					bytes.formatted("CASE WHEN k.i < 11 THEN 'billing' ELSE 'others' END"),
					bytes.formatted("'key ', LPAD(CONCAT('', MOD(n.i, 40)), 2, '0')"),
					bytes.formatted("1000 * k.i + n.i")))
			.update();
		this.application.bean(JdbcTemplate.class)
			.execute(this.database.choose("ANALYZE TABLE inbox_dead_letter", "ANALYZE inbox_dead_letter",
					"ANALYZE TABLE inbox_dead_letter"));
	}

	@AfterEach
	void close() {
		this.application.close();
	}

	@Test
	void theyAreCountedUpToALimit() {
		SequenceFigures many = this.sequences.figures("billing");
		assertThat(many.deadLetters()).isEqualTo(10_000);
		assertThat(many.isMore()).isTrue();
		assertThat(many.oldest()).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
		assertThat(many.heads()).hasSize(20);
		SequenceFigures few = this.sequences.figures("others");
		assertThat(few.deadLetters()).isEqualTo(1_000);
		assertThat(few.parkedKeys()).isEqualTo(40);
		assertThat(few.isMore()).isFalse();
		assertThat(few.heads()).hasSize(20)
			.extracting(SequenceFigures.Head::messageId)
			.startsWith("11000", "11001", "11002");
		assertThat(few.heads().get(1).key()).isEqualTo("key 01");
		assertThat(few.heads().get(1).age()).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
		assertThat(this.sequences.figures("none")).isEqualTo(new SequenceFigures(0, 0, null, false, List.of()));
	}

	@Test
	void whatWasStoredBehindOneThatWasRemovedMeanwhileIsFollowed() throws Exception {
		this.sequences.add("billing", "key", "1");
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			List<Future<?>> waiting = new ArrayList<>();
			this.application.transaction().executeWithoutResult((status) -> {
				this.sequences.addBehind("billing", "key", "2");
				waiting.add(threads.submit(() -> this.sequences.remove("billing", "key", "1")));
				LockWait.await(this.application.jdbc(), 1);
				waiting.add(threads.submit(() -> this.sequences.addBehind("billing", "key", "3")));
				LockWait.await(this.application.jdbc(), 2);
			});
			waiting.get(0).get();
			assertThat(waiting.get(1).get()).isEqualTo(true);
			assertThat(this.sequences.first("billing", "key")).isEqualTo("2");
		}
		finally {
			threads.shutdown();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "setAutoCommit", "prepareStatement", "executeQuery", "executeUpdate", "commit" })
	void aLostConnectionIsWhatTheCallerHearsOfAndSpringLogsNoError(String lost, CapturedOutput output) {
		DeadLetterSequences losing = new DeadLetterSequences(new LosingDataSource(lost), "inbox_dead_letter");
		List<Runnable> calls = List.of(() -> losing.keys("others"), () -> losing.add("others", "key 01", "new"),
				() -> losing.addBehind("others", "key 01", "new"), () -> losing.discard("others", "new"),
				() -> losing.figures("others"));
		assertThat(calls).filteredOn((call) -> isLostIn(call)).hasSizeGreaterThanOrEqualTo(2);
		// The embedded server says that a client has left, and what runs it logs that as
		// an error
		assertThat(output.toString().lines()).filteredOn((line) -> line.contains("ERROR"))
			.allMatch((line) -> line.contains("ManagedProcess"));
	}

	@Test
	void keysAreCountedThatWereParkedInARangeOfTimeWithAllThatFollows() {
		Instant dayAgo = Instant.now().minus(Duration.ofDays(1));
		String number = this.database.choose("CAST(message_id AS SIGNED)",
				"CAST(convert_from(message_id, 'UTF8') AS INT)", "CAST(message_id AS INT)");
		this.application.jdbc()
			.sql("UPDATE inbox_dead_letter SET created_at = UTC_TIMESTAMP(6) - INTERVAL '48' HOUR WHERE %s BETWEEN 11000 AND 11004"
				.formatted(number))
			.update();
		SequenceFigures before = this.sequences.figures("others", new ParkingTime(null, dayAgo));
		assertThat(before.parkedKeys()).isEqualTo(5);
		assertThat(before.deadLetters()).as("with what follows them").isEqualTo(125);
		assertThat(before.oldest()).isBetween(Duration.ofHours(47), Duration.ofHours(49));
		assertThat(before.isMore()).isFalse();
		assertThat(before.heads()).extracting(SequenceFigures.Head::messageId)
			.containsExactly("11000", "11001", "11002", "11003", "11004");
		SequenceFigures since = this.sequences.figures("others", new ParkingTime(dayAgo, null));
		assertThat(since.parkedKeys()).isEqualTo(35);
		assertThat(since.heads()).hasSize(20).extracting(SequenceFigures.Head::messageId).startsWith("11005", "11006");
		assertThat(this.sequences.figures("others", new ParkingTime(Instant.MIN, Instant.MAX)).parkedKeys())
			.isEqualTo(40);
		assertThat(this.sequences.figures("others", new ParkingTime(null, Instant.EPOCH)))
			.isEqualTo(new SequenceFigures(0, 0, null, false, List.of()));
		assertThat(this.sequences.figures("billing", new ParkingTime(dayAgo, null)).isMore()).isTrue();
	}

	@Test
	void theEndsOfARangeAreExact() {
		this.application.jdbc().sql("DELETE FROM inbox_dead_letter").update();
		this.sequences.add("one", "key", "1");
		String time = this.database.choose("'2026-01-02 12:00:00.000001'", "'2026-01-02 12:00:00.000001+00'",
				"'2026-01-02 12:00:00.000001+00'");
		this.application.jdbc().sql("UPDATE inbox_dead_letter SET created_at = " + time).update();
		Instant then = Instant.parse("2026-01-02T12:00:00.000001Z");
		assertThat(parked(then, null)).isOne();
		assertThat(parked(then.plusNanos(1_000), null)).isZero();
		assertThat(parked(null, then)).isZero();
		assertThat(parked(null, then.plusNanos(1_000))).isOne();
		assertThat(parked(then, then.plusNanos(1_000))).isOne();
	}

	private long parked(@Nullable Instant from, @Nullable Instant until) {
		return this.sequences.figures("one", new ParkingTime(from, until)).parkedKeys();
	}

	private List<Map<String, Object>> explain(String explain, String look) {
		return this.application.jdbc().sql(explain + look).params("b3RoZXJz", 10_001).query().listOfRows();
	}

	@ParameterizedTest
	@CsvSource({ "true, false", "false, false", "true, true", "false, true" })
	void theyAreCountedByAnIndex(boolean isCount, boolean isNarrowed) {
		JdbcTemplate jdbc = this.application.bean(JdbcTemplate.class);
		SequenceFigures.Query query = new SequenceFigures.Query(jdbc, InboxSql.of(jdbc), "inbox_dead_letter");
		ParkingTime time = new ParkingTime(Instant.EPOCH, null);
		String look = isNarrowed ? isCount ? query.counted(time) : query.heads(time)
				: isCount ? query.counted() : query.heads();
		if (this.database.isH2()) {
			assertThat(String.valueOf(explain("EXPLAIN ", look).get(0).get("PLAN")))
				.contains("PUBLIC.INBOX_DEAD_LETTER_")
				.doesNotContain("tableScan");
			return;
		}
		if (this.database.isPostgreSql()) {
			assertThat(explain("EXPLAIN ", look)).extracting((row) -> String.valueOf(row.get("QUERY PLAN")))
				.noneMatch((line) -> line.contains("Seq Scan on inbox_dead_letter"))
				.anyMatch((line) -> line.contains("Scan using inbox_dead_letter_")
						|| line.contains("Scan on inbox_dead_letter_"));
			return;
		}
		assertThat(explain("EXPLAIN FORMAT=TRADITIONAL ", look))
			.filteredOn((row) -> "inbox_dead_letter".equals(row.get("table")))
			.singleElement()
			.satisfies((row) -> {
				assertThat(row.get("key")).isEqualTo("inbox_dead_letter_sequence");
				assertThat(String.valueOf(row.get("Extra"))).contains("Using index").doesNotContain("filesort");
			});
	}

	private static boolean isLostIn(Runnable call) {
		try {
			call.run();
			return false;
		}
		catch (DataAccessException | TransactionException ex) {
			return true;
		}
	}

	/**
	 * Loses each connection before a call of it.
	 */
	private final class LosingDataSource extends InterceptedDataSource {

		private final Dialect dialect = Dialect
			.valueOf(DeadLetterSequencesTests.this.database.platform().toUpperCase(Locale.ROOT));

		private final String call;

		LosingDataSource(String call) {
			super(DeadLetterSequencesTests.this.application.bean(DataSource.class));
			this.call = call;
		}

		@Override
		protected Interceptor opened(Connection connection) throws SQLException {
			Connection real = connection.isWrapperFor(Connection.class) ? connection.unwrap(Connection.class)
					: connection;
			return (call) -> {
				if (call.name().equals(this.call)) {
					this.dialect.abort(real);
				}
				return call.proceed();
			};
		}

	}

}
