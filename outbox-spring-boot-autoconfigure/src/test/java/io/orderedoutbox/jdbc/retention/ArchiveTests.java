/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.retention;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.claim.ClaimSettings;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What was published is in the archive, from the moment in which it is no longer in the
 * outbox until it is old, and nothing else is.
 */
@Timeout(60)
class ArchiveTests {

	private static final ClaimSettings SETTINGS = ClaimWorker.settings(true, 100);

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = ClaimWorker.archiving(this.tables, SETTINGS);

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatWasPublishedIsArchivedAsItWas() {
		this.tables.commit("a", "", "b");
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET headers = '{\"h\":\"ä\"}', payload = %s, exchange = 'shop' WHERE id = 1"
				.formatted(Servers.database().choose("x'00ff80'", "'\\x00ff80'")))
			.update();
		List<Map<String, Object>> before = content("outbox_message", "id");
		settle(List.of(3L, 1L, 2L));
		assertThat(this.tables.depth()).isZero();
		assertThat(content("outbox_archive", "position")).isEqualTo(before);
		assertThat(this.tables.column(Long.class, "position", "outbox_archive")).containsExactly(1L, 2L, 3L);
		assertThat(this.tables.jdbc()
			.sql("SELECT COUNT(*) FROM outbox_archive WHERE attempts = 0 AND last_error IS NULL "
					+ "AND published_at BETWEEN created_at AND UTC_TIMESTAMP(6)")
			.query(Long.class)
			.single()).isEqualTo(3);
	}

	@Test
	void whatFailedBeforeItWasPublishedIsArchivedWithThat() {
		this.tables.commit("a");
		settle(List.of(), FailedMessage.retried(1, "returned", Duration.ZERO));
		assertThat(archived()).isEmpty();
		settle(List.of(1L));
		assertThat(this.tables.jdbc()
			.sql("SELECT attempts = 1 AND last_error = 'returned' FROM outbox_archive WHERE position = 1")
			.query(Boolean.class)
			.single()).isTrue();
	}

	@Test
	void onlyWhatWasPublishedIsArchived() {
		this.tables.commit("dead", "blocked", "stalled", "published", "left");
		settle(List.of(4L), FailedMessage.deadLetter(1, "returned"), FailedMessage.blocked(2, "returned"),
				FailedMessage.retried(3, "returned", Duration.ofHours(1)));
		assertThat(archived()).containsExactly("published");
		assertThat(this.tables.column(String.class, "partition_key", "outbox_message")).containsExactly("blocked",
				"stalled", "left");
		assertThat(this.tables.column(String.class, "partition_key", "outbox_dead_letter")).containsExactly("dead");
	}

	@Test
	void whatCannotBeCompletedIsNotArchived() {
		this.tables.commit("a", "b");
		this.tables.jdbc()
			.sql("CREATE TABLE holder (lane BIGINT, id BIGINT, "
					+ "FOREIGN KEY (lane, id) REFERENCES outbox_message (lane, id))")
			.update();
		this.tables.jdbc().sql("INSERT INTO holder SELECT lane, id FROM outbox_message WHERE id = 2").update();
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> settle(List.of(1L, 2L)))
			.withMessageMatching("(?is).*foreign key.*");
		assertThat(archived()).isEmpty();
		assertThat(this.tables.depth()).isEqualTo(2);
		this.tables.jdbc().sql("DROP TABLE holder").update();
		settle(List.of(1L, 2L));
		assertThat(archived()).containsExactly("a", "b");
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void aWorkerThatDiesBeforeTheCommitLeavesNothing() {
		this.tables.commit("a");
		try (Claim claim = this.worker.next()) {
			OutboxDatabase database = this.worker.database();
			String places = "[[%d,%d]]".formatted(this.tables.partition("a"), ClaimWorker.ids(claim).get(0));
			database.jdbc().update(database.statements().archive, places);
			database.jdbc().update(database.statements().delete, places);
			assertThat(this.worker.jdbc().sql("SELECT COUNT(*) FROM outbox_archive").query(Long.class).single())
				.isOne();
			this.worker.abort();
		}
		assertThat(archived()).isEmpty();
		settle(List.of(1L));
		assertThat(archived()).containsExactly("a");
	}

	// TRUNCATE lets positions begin anew, and so does a restored backup: what was sent
	// must be completed all the same
	@Test
	void aMessageWhosePositionAnotherOneHadIsArchivedAsWell() {
		this.tables.commit("a");
		settle(List.of(1L));
		this.tables.jdbc()
			.sql(Servers.database()
				.choose("TRUNCATE TABLE outbox_message", "TRUNCATE TABLE outbox_message RESTART IDENTITY"))
			.update();
		this.tables.commit("b");
		ClaimWorker.archiving(this.tables, SETTINGS).completeNext();
		assertThat(archived()).containsExactly("a", "b");
		assertThat(this.tables.column(Long.class, "position", "outbox_archive")).containsExactly(1L, 1L);
	}

	// Whatever would be sent could not be completed, and would be sent again and again
	@Test
	void withoutItsTableNothingIsClaimed() {
		this.tables.commit("a");
		this.tables.jdbc().sql("ALTER TABLE outbox_archive RENAME TO hidden").update();
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(this.worker::next)
			.withMessageStartingWith("The archive is enabled, and its table or another table of the outbox is missing")
			.withMessageContaining("outbox.archive.enabled=false")
			.withMessageContaining("outbox_archive");
		this.tables.jdbc().sql("ALTER TABLE hidden RENAME TO outbox_archive").update();
		settle(List.of(1L));
		assertThat(archived()).containsExactly("a");
	}

	@Test
	void itCostsTwoStatementsForEachBatchAndNoneWhereItIsDisabled() {
		ClaimWorker plain = ClaimWorker.of(this.tables, SETTINGS);
		// Once for the version of the database
		Stream.of(plain, this.worker).forEach((one) -> {
			this.tables.commit("a");
			one.drain(1);
		});
		this.tables.commit("a", "b", "c", "c");
		List<String> without = SqlLog.of(() -> plain.drain(1));
		assertThat(this.tables.depth()).isZero();
		this.tables.commit("a", "b", "c", "c");
		List<String> with = SqlLog.of(() -> this.worker.drain(1));
		assertThat(this.tables.depth()).isZero();
		assertThat(without).isNotEmpty().noneMatch((statement) -> statement.contains("archive"));
		// PostgreSQL and H2 have a savepoint for each settlement
		assertThat(with).hasSize(without.size() + (this.tables.outbox().dialect().undoesStatementsAlone() ? 2 : 1));
		assertThat(with).filteredOn((statement) -> statement.startsWith("insert into outbox_archive")).hasSize(1);
		assertThat(with).as("what the archive refuses is undone alone")
			.filteredOn((statement) -> statement.startsWith("savepoint"))
			.hasSize(1);
	}

	@Test
	void whatIsOlderThanTheRetentionByTheClockOfTheDatabaseIsRemoved() {
		archive("young", "UTC_TIMESTAMP(6) - INTERVAL '3000' SECOND");
		archive("old", "UTC_TIMESTAMP(6) - INTERVAL '3700' SECOND");
		archive("future", "UTC_TIMESTAMP(6) + INTERVAL '1' DAY");
		archive("ancient", "'2001-01-01'");
		assertThat(purge(Duration.ofHours(1))).isEqualTo(2);
		assertThat(archived()).containsExactly("young", "future");
		assertThat(purge(Duration.ofHours(1))).isZero();
		assertThat(purge(Duration.ofDays(3650))).isZero();
	}

	@Test
	void aTransactionRemovesOnlySoManyAndSoMuch() {
		this.tables.fill(1_200, 10);
		moveAll("'2001-01-01'");
		assertThat(purge(Duration.ofHours(1))).isEqualTo(500);
		assertThat(purge(Duration.ofHours(1))).isEqualTo(500);
		assertThat(purge(Duration.ofHours(1))).isEqualTo(200);
		for (String large : List.of("1", "2", "3")) {
			archive(large, "'2001-01-0" + large + "'");
		}
		this.tables.jdbc()
			.sql("UPDATE outbox_archive SET payload_size = CASE WHEN partition_key = '1' THEN 9000000 ELSE 2000000 END")
			.update();
		assertThat(purge(Duration.ofHours(1))).as("larger than allowed, but alone").isOne();
		assertThat(archived()).containsExactly("2", "3");
		assertThat(purge(Duration.ofHours(1))).isEqualTo(2);
	}

	@Test
	void allThatIsOldIsRemovedUnlessItIsToldToStop() {
		this.tables.fill(1_200, 10);
		moveAll(Servers.database()
			.choose("TIMESTAMPADD(SECOND, m.id DIV 100, '2001-01-01')",
					"TIMESTAMPTZ '2001-01-01' + m.id / 100 * INTERVAL '1 second'",
					"DATEADD(SECOND, m.id / 100, TIMESTAMP '2001-01-01 00:00:00')"));
		archive("young", "UTC_TIMESTAMP(6)");
		assertThat(this.tables.archive().purge(Duration.ofHours(1), () -> false)).isEqualTo(500);
		assertThat(this.tables.archive().purge(Duration.ofHours(1), () -> true)).isEqualTo(700);
		assertThat(archived()).containsExactly("young");
	}

	private int purge(Duration retention) {
		return this.tables.archive().purge(retention, 0).ids().size();
	}

	@Test
	void whatAnotherInstanceIsRemovingIsLeftToIt() {
		archive("mine", "'2001-01-01'");
		archive("its", "'2001-01-02'");
		TransactionStatus other = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.jdbc().sql("DELETE FROM outbox_archive WHERE partition_key = 'its'").update();
		assertThat(purge(Duration.ofHours(1))).isOne();
		this.tables.commit(other);
		assertThat(archived()).isEmpty();
	}

	private void settle(List<Long> published, FailedMessage... failed) {
		try (Claim claim = this.worker.next()) {
			claim.complete(published, List.of(failed));
		}
	}

	private void archive(String key, String publishedAt) {
		this.tables.commit(key);
		moveAll(publishedAt);
	}

	// As if all that is in the outbox had been published at a time
	private void moveAll(String publishedAt) {
		String places = this.tables.column(String.class, "CONCAT('[', lane, ',', id, ']')", "outbox_message")
			.toString();
		this.tables.jdbc()
			.sql(this.tables.statements().archive.replace(this.tables.outbox().dialect().sql().now(), publishedAt))
			.param(places)
			.update();
		this.tables.jdbc().sql("DELETE FROM outbox_message").update();
	}

	private List<String> archived() {
		return this.tables.column(String.class, "partition_key", "outbox_archive");
	}

	private List<Map<String, Object>> content(String table, String position) {
		return this.tables.jdbc()
			.sql("""
					SELECT %s AS position, message_id, name, partition_key, exchange, routing_key, content_type,
					HEX(payload) AS payload, payload_size, headers, created_at FROM %s ORDER BY 1""".formatted(position,
					table))
			.query()
			.listOfRows();
	}

}
