/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.List;

import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.RequiresPostgreSql;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * PostgreSQL keeps messages that were deleted for as long as a transaction is open that
 * began before, and reads them each time that it looks for others between them. Claims
 * begin behind them.
 */
@RequiresPostgreSql
@Tag("slow")
@Timeout(300)
class DeadRowsTests {

	private static final int DEAD = 200_000;

	private static final int PARTITION = 11;

	private static final String KEY = Keys.in(PARTITION);

	private static final int FEW_BLOCKS = 300;

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void aClaimReadsNothingOfWhatWasDeletedBeforeItsCursor() {
		JdbcTemplate old = new JdbcTemplate(this.tables.connectionWithoutAutoCommit());
		old.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
		old.queryForList("SELECT id FROM outbox_message");
		fill();
		ClaimWorker worker = worker();
		assertThat(worker.drain(DEAD).stream().mapToInt(List::size).sum()).isEqualTo(DEAD);
		List<Cost> claims = List.of(ofAClaim(worker), ofAClaim(worker), ofAClaim(worker));
		Cost poll = of(worker, () -> assertThat(worker.next()).isNull());
		// The measure would show it
		ClaimWorker newcomer = worker();
		Cost pollOfNewcomer = of(newcomer, () -> assertThat(newcomer.next()).isNull());
		Cost fromTheStart = ofAClaim(newcomer);
		System.out.printf(
				"Behind %,d deleted messages: claims %s, a poll %s; of another instance: a poll %s, a claim %s%n", DEAD,
				claims, poll, pollOfNewcomer, fromTheStart);
		old.execute("COMMIT");
		assertThat(claims).extracting(Cost::blocks).allMatch((blocks) -> blocks < FEW_BLOCKS);
		assertThat(poll.blocks()).isLessThan(FEW_BLOCKS);
		assertThat(fromTheStart.blocks()).isGreaterThan(FEW_BLOCKS);
	}

	private ClaimWorker worker() {
		return ClaimWorker.of(this.tables, ClaimWorker.settings(true, 2_000));
	}

	private void fill() {
		this.tables.jdbc()
			.sql("""
					INSERT INTO outbox_message (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload,
					created_at, available_at) SELECT ?, gen_random_uuid(), 'order.placed', ?, '', 'nowhere', 'text/plain', 'x',
					statement_timestamp(), statement_timestamp() FROM generate_series(1, ?)""")
			.params(PARTITION, KEY, DEAD)
			.update();
	}

	private Cost ofAClaim(ClaimWorker worker) {
		this.tables.commit(KEY);
		return of(worker, () -> assertThat(worker.completeNext()).hasSize(1));
	}

	private Cost of(ClaimWorker worker, Runnable work) {
		int before = blocks(worker);
		long start = System.nanoTime();
		work.run();
		long nanos = System.nanoTime() - start;
		return new Cost(blocks(worker) - before, nanos / 1_000_000);
	}

	// A session tells of what it has read once a second, unless it is asked to
	private int blocks(ClaimWorker worker) {
		// It gives its connection back
		worker.rest();
		assumeThat(isSince15()).as("the server has pg_stat_force_next_flush()").isTrue();
		worker.jdbc().sql("SELECT pg_stat_force_next_flush()").query().listOfRows();
		return this.tables.jdbc().sql("""
				SELECT heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit FROM pg_statio_user_tables
				WHERE relid = to_regclass('outbox_message')""").query(Integer.class).single();
	}

	private boolean isSince15() {
		return this.tables.jdbc()
			.sql("SELECT to_regproc('pg_stat_force_next_flush') IS NOT NULL")
			.query(Boolean.class)
			.single();
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
