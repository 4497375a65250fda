/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.JdbcWorkerRegistry;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.backlog.JdbcBacklogReader;
import io.orderedoutbox.jdbc.retention.JdbcCapturedMessages;
import io.orderedoutbox.servers.RequiresPostgreSql;
import io.orderedoutbox.testing.PostgreSqlStatistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * PostgreSQL keeps messages that were deleted for as long as a transaction is open that
 * began before, and reads them each time that it looks for others between them. Claims
 * begin behind them, whatever the server takes for the number of messages: its autovacuum
 * counts them once a minute, and an outbox is empty at most times.
 */
@RequiresPostgreSql
@Tag("slow")
@Timeout(300)
class DeadRowsTests {

	// One index of the messages is higher than the other then, which counts for the
	// server
	private static final int DEAD = 100_000;

	private static final int PARTITION = 11;

	private static final String KEY = Keys.in(PARTITION);

	private static final int FEW_BLOCKS = 1_000;

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@ParameterizedTest
	@EnumSource
	void aClaimReadsNothingOfWhatWasDeletedBeforeItsCursor(Counted counted) {
		JdbcTemplate old = holdBack();
		fill(PARTITION, DEAD);
		if (counted == Counted.FULL) {
			count();
		}
		ClaimWorker worker = worker();
		assertThat(worker.drain(DEAD).stream().mapToInt(List::size).sum()).isEqualTo(DEAD);
		if (counted == Counted.EMPTY) {
			count();
		}
		List<Cost> claims = List.of(ofAClaim(worker), ofAClaim(worker), ofAClaim(worker));
		Cost poll = of(worker, () -> assertThat(worker.next()).isNull());
		// The measure would show it
		ClaimWorker newcomer = worker();
		Cost pollOfNewcomer = of(newcomer, () -> assertThat(newcomer.next()).isNull());
		Cost fromTheStart = ofAClaim(newcomer);
		System.out.printf(
				"Behind %,d deleted messages, counted %s: claims %s, a poll %s; of another instance: a poll %s, a claim %s%n",
				DEAD, counted, claims, poll, pollOfNewcomer, fromTheStart);
		old.execute("COMMIT");
		assertThat(claims).extracting(Cost::blocks).allMatch((blocks) -> blocks < FEW_BLOCKS);
		assertThat(poll.blocks()).isLessThan(FEW_BLOCKS);
		// It reads its own lane, once
		assertThat(fromTheStart.blocks()).isBetween(FEW_BLOCKS, 20 * FEW_BLOCKS);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 9 })
	void aClaimOfABacklogThatCameAfterAQuietTimeReadsNothingOfTheRestOfIt(int waiting) {
		fill(PARTITION, DEAD);
		// The last page is not empty, so that the file stays as large as it is
		this.tables.jdbc()
			.sql("DELETE FROM outbox_message WHERE id < (SELECT MAX(id) - ? FROM outbox_message)")
			.param(waiting)
			.update();
		count();
		fill(PARTITION + 1, DEAD);
		ClaimWorker worker = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 10));
		assertThat(worker.completeNext()).hasSizeLessThanOrEqualTo(10);
		Cost claim = of(worker, () -> assertThat(worker.completeNext()).isNotEmpty().hasSizeLessThanOrEqualTo(10));
		System.out.printf("Of %,d messages that came after a count: a claim %s%n", DEAD, claim);
		assertThat(claim.blocks()).isLessThan(FEW_BLOCKS);
	}

	@Test
	void whatLooksAtAllPartitionsReadsNothingTwice() {
		JdbcTemplate old = holdBack();
		fill(PARTITION, DEAD);
		this.tables.jdbc().sql("DELETE FROM outbox_message").update();
		count();
		fill(PARTITION + 1, 1_000);
		DataSource pool = this.tables.pool(1);
		OutboxDatabase database = new OutboxDatabase(pool, "outbox_");
		JdbcBacklogReader backlog = new JdbcBacklogReader(database);
		JdbcCapturedMessages captured = new JdbcCapturedMessages(database, new JdbcWorkerRegistry(database));
		JdbcClient session = JdbcClient.create(pool);
		Cost reading = of(session, () -> assertThat(backlog.read().depth()).isEqualTo(1_000));
		Cost purge = of(session, () -> assertThat(captured.purge(Duration.ZERO, () -> true)).isEqualTo(1_000));
		System.out.printf("Beside %,d deleted messages: a reading of the backlog %s, a purge of 1,000 others %s%n",
				DEAD, reading, purge);
		old.execute("COMMIT");
		assertThat(List.of(reading, purge)).extracting(Cost::blocks)
			.allMatch((blocks) -> blocks > FEW_BLOCKS && blocks < 20 * FEW_BLOCKS);
	}

	private JdbcTemplate holdBack() {
		JdbcTemplate old = new JdbcTemplate(this.tables.connectionWithoutAutoCommit());
		old.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
		old.queryForList("SELECT id FROM outbox_message");
		return old;
	}

	// As its autovacuum does
	private void count() {
		this.tables.jdbc().sql("VACUUM ANALYZE outbox_message").update();
	}

	private ClaimWorker worker() {
		return ClaimWorker.of(this.tables, ClaimWorker.settings(true, 2_000));
	}

	private void fill(int partition, int messages) {
		this.tables.jdbc()
			.sql("""
					INSERT INTO outbox_message (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload,
					created_at, available_at) SELECT ?, gen_random_uuid(), 'order.placed', ?, '', 'nowhere', 'text/plain', 'x',
					statement_timestamp(), statement_timestamp() FROM generate_series(1, ?)""")
			.params(partition, Keys.in(partition), messages)
			.update();
	}

	private Cost ofAClaim(ClaimWorker worker) {
		this.tables.commit(KEY);
		return of(worker, () -> assertThat(worker.completeNext()).hasSize(1));
	}

	private Cost of(ClaimWorker worker, Runnable work) {
		// It gives its connection back
		worker.rest();
		return of(worker.jdbc(), () -> {
			work.run();
			worker.rest();
		});
	}

	private Cost of(JdbcClient session, Runnable work) {
		int before = blocks(session);
		long start = System.nanoTime();
		work.run();
		long nanos = System.nanoTime() - start;
		return new Cost(blocks(session) - before, nanos / 1_000_000);
	}

	// The server counts for all sessions: what has filled the table is told of first
	private int blocks(JdbcClient session) {
		PostgreSqlStatistics.flush(this.tables.jdbc());
		PostgreSqlStatistics.flush(session);
		return this.tables.jdbc().sql("""
				SELECT heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit FROM pg_statio_user_tables
				WHERE relid = to_regclass('outbox_message')""").query(Integer.class).single();
	}

	private enum Counted {

		NEVER, FULL, EMPTY

	}

	/**
	 * What it has cost.
	 *
	 * @param blocks how many blocks of the table and its indexes were looked at
	 * @param millis how long it has taken
	 */
	private record Cost(int blocks, long millis) {

	}

}
