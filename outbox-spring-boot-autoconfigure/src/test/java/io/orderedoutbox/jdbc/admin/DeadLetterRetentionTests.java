/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.retention.JdbcDeadLetters;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dead letters that are old are removed, where that is wanted.
 */
class DeadLetterRetentionTests {

	private static final Duration DAY = Duration.ofDays(1);

	private final OutboxTables tables = new OutboxTables();

	private final JdbcDeadLetters letters = new JdbcDeadLetters(this.tables.outbox());

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatIsOlderByTheClockOfTheDatabaseIsRemoved() {
		bury(1_300);
		died("TRUE", hoursAgo(25));
		died("id > " + ids().get(1_199), hoursAgo(23));
		List<Long> before = ids();
		assertThat(this.letters.purge(DAY, () -> true)).isEqualTo(1_200);
		assertThat(ids()).isEqualTo(before.subList(1_200, 1_300));
		assertThat(this.letters.purge(DAY, () -> true)).isZero();
	}

	@Test
	void oneThatIsYoungInFrontOfThemDoesNotKeepThem() {
		bury(10);
		died("id <> 3", hoursAgo(25));
		assertThat(this.letters.purge(DAY, () -> true)).isEqualTo(9);
		assertThat(ids()).containsExactly(3L);
	}

	@Test
	void whatAnOperatorHasLockedIsLeftAlone() {
		bury(3);
		died("TRUE", "'2001-01-01'");
		JdbcTemplate other = new JdbcTemplate(this.tables.connectionWithoutAutoCommit());
		other.queryForList("SELECT id FROM outbox_dead_letter WHERE id = 2 FOR UPDATE");
		assertThat(this.letters.purge(DAY, () -> true)).isEqualTo(2);
		assertThat(ids()).containsExactly(2L);
	}

	@Test
	void aTransactionRemovesOnlySoMuch() {
		bury(4);
		died("TRUE", "'2001-01-01'");
		this.tables.jdbc().sql("UPDATE outbox_dead_letter SET payload = ?").param(new byte[3_000_000]).update();
		assertThat(this.letters.purge(DAY, () -> false)).isOne();
		assertThat(this.letters.purge(DAY, () -> true)).isEqualTo(3);
	}

	@Test
	void anApplicationRemovesThemOnlyIfItIsToldTo() {
		Database database = Servers.database().fresh();
		try (OutboxApplication keeping = OutboxApplication.on(database).withoutRelay().start()) {
			keeping.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			keeping.jdbc()
				.sql("""
						INSERT INTO outbox_dead_letter (position, message_id, name, partition_key, exchange, routing_key, content_type,
						payload, created_at, attempts, dead_at) SELECT id, message_id, name, partition_key, exchange, routing_key,
						content_type, payload, created_at, 1, CASE WHEN partition_key = 'a' THEN TIMESTAMP '2001-01-01 00:00:00' ELSE UTC_TIMESTAMP(6) END FROM outbox_message""")
				.update();
			assertThat(letters(keeping)).containsExactly("a", "b");
			try (OutboxApplication purging = OutboxApplication.on(database)
				.withoutRelay()
				.with("outbox.dead-letters.retention", "30d")
				.start()) {
				Awaitility.await().until(() -> letters(purging).equals(List.of("b")));
			}
		}
	}

	private static List<String> letters(OutboxApplication application) {
		return application.jdbc()
			.sql("SELECT partition_key FROM outbox_dead_letter ORDER BY id")
			.query(String.class)
			.list();
	}

	private void bury(int count) {
		this.tables.fill(count, count);
		this.tables.blockEach("TRUE");
		assertThat(this.tables.operator(false, (partitions) -> {
		}).skip(MessageSelection.all()).affected()).isEqualTo(count);
	}

	private String hoursAgo(int hours) {
		SqlFragments sql = this.tables.outbox().dialect().sql();
		return sql.after("-" + Duration.ofHours(hours).toNanos() / 1_000, sql.now());
	}

	private void died(String condition, String time) {
		this.tables.jdbc()
			.sql("UPDATE outbox_dead_letter SET dead_at = %s WHERE %s".formatted(time, condition))
			.update();
	}

	private List<Long> ids() {
		return this.tables.column(Long.class, "id", "outbox_dead_letter");
	}

}
