/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.JdbcWorkerRegistry;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.retention.JdbcCapturedMessages;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Messages that another program reads from the log of the database are removed when they
 * are old, where that is wanted.
 */
@ExtendWith(OutputCaptureExtension.class)
class CapturedMessagesTests {

	private static final Duration DAY = Duration.ofDays(1);

	private final OutboxTables tables = new OutboxTables();

	private final JdbcWorkerRegistry workers = new JdbcWorkerRegistry(this.tables.outbox());

	private final JdbcCapturedMessages captured = new JdbcCapturedMessages(this.tables.outbox(), this.workers);

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatIsOlderByTheClockOfTheDatabaseIsRemoved() {
		this.tables.fill(3_000, 3);
		List<Long> all = ids();
		stored("id < " + all.get(2_000), hoursAgo(25));
		stored("id >= " + all.get(2_000), hoursAgo(23));
		assertThat(this.captured.purge(DAY, () -> true)).isEqualTo(2_000);
		assertThat(ids()).isEqualTo(all.subList(2_000, 3_000));
		assertThat(this.captured.purge(DAY, () -> true)).isZero();
	}

	@Test
	void whatLiesBehindAYoungMessageOfItsPartitionStays() {
		this.tables.fill(10, 1);
		stored("TRUE", hoursAgo(25));
		stored("id = " + ids().get(4), hoursAgo(23));
		assertThat(this.captured.purge(DAY, () -> true)).isEqualTo(4);
		assertThat(ids()).hasSize(6);
	}

	@Test
	void aPartitionThatARelayOwnsIsLeftAlone() {
		this.tables.fill(2, 2);
		stored("TRUE", hoursAgo(25));
		JdbcTemplate other = new JdbcTemplate(this.tables.connectionWithoutAutoCommit());
		other.queryForList(
				"SELECT id FROM outbox_partition WHERE id = (SELECT lane FROM outbox_message ORDER BY id LIMIT 1) FOR UPDATE");
		assertThat(this.captured.purge(DAY, () -> true)).isOne();
	}

	@Test
	void messagesOfAParkedKeyAreLeftAlone() {
		this.tables.fill(2, 2);
		stored("TRUE", hoursAgo(25));
		this.tables.jdbc().sql("UPDATE outbox_message SET lane = -id WHERE id = " + ids().get(0)).update();
		assertThat(this.captured.purge(DAY, () -> true)).isOne();
		assertThat(ids()).hasSize(1);
	}

	@Test
	void aTransactionRemovesOnlySoMuch() {
		this.tables.fill(4, 1);
		stored("TRUE", hoursAgo(25));
		this.tables.jdbc().sql("UPDATE outbox_message SET payload = ?").param(new byte[3_000_000]).update();
		assertThat(this.captured.purge(DAY, () -> false)).isOne();
		assertThat(this.captured.purge(DAY, () -> true)).isEqualTo(3);
	}

	@Test
	void nothingIsRemovedWhileARelayWorks() {
		this.tables.fill(1, 1);
		stored("TRUE", hoursAgo(25));
		relayWorks();
		assertThatIllegalStateException().isThrownBy(() -> this.captured.purge(DAY, () -> true))
			.withMessageContaining("other-host")
			.withMessageContaining("outbox.relay.mode=off");
		assertThat(ids()).hasSize(1);
		this.tables.jdbc().sql("UPDATE outbox_worker SET heartbeat_at = " + hoursAgo(1)).update();
		assertThat(this.captured.purge(DAY, () -> true)).isOne();
	}

	@Test
	void nothingIsRemovedWhereARelayCouldNotSayThatItWorks() {
		this.tables.fill(1, 1);
		stored("TRUE", hoursAgo(25));
		this.tables.jdbc().sql("DROP TABLE outbox_worker").update();
		assertThatIllegalStateException().isThrownBy(() -> this.captured.purge(DAY, () -> true))
			.withMessageContaining("There is no table outbox_worker");
		assertThat(ids()).hasSize(1);
	}

	@Test
	void aRelayThatComesMeanwhileEndsIt() {
		this.tables.fill(2, 2);
		stored("TRUE", hoursAgo(25));
		assertThatIllegalStateException().isThrownBy(() -> this.captured.purge(DAY, () -> {
			relayWorks();
			return true;
		})).withMessageContaining("other-host");
		assertThat(ids()).hasSize(1);
	}

	@Test
	void whatWasPutInAgainOrWasDelayedIsAsOldAsThat() {
		this.tables.fill(1, 1);
		stored("TRUE", hoursAgo(25));
		this.tables.jdbc().sql("UPDATE outbox_message SET available_at = " + hoursAgo(1)).update();
		assertThat(this.captured.purge(DAY, () -> true)).isZero();
		assertThat(ids()).hasSize(1);
	}

	@Test
	void noTransactionThatWritesWaitsForIt() {
		this.tables.fill(700, 1);
		stored("TRUE", hoursAgo(25));
		// What waits for a lock of the purge, which has not yet committed, fails after
		// two
		// seconds
		AtomicInteger written = new AtomicInteger();
		DataSource interrupted = OutboxTables.interrupted(this.tables.writer(), "commit", () -> {
			this.tables.commit("filler-0");
			written.incrementAndGet();
		});
		assertThat(new JdbcCapturedMessages(new OutboxDatabase(interrupted, "outbox_"), this.workers).purge(DAY,
				() -> true))
			.isEqualTo(700);
		assertThat(written).hasValueGreaterThanOrEqualTo(2);
		assertThat(ids()).hasSize(written.get());
	}

	@Test
	void anApplicationRemovesThemOnlyIfItIsToldTo(CapturedOutput output) {
		Database database = Servers.database().fresh();
		try (OutboxApplication keeping = OutboxApplication.on(database).withoutRelay().start()) {
			keeping.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			keeping.jdbc()
				.sql("UPDATE outbox_message SET created_at = '2001-01-01', available_at = '2001-01-01' WHERE partition_key = 'a'")
				.update();
			assertThat(keeping.depth()).isEqualTo(2);
			try (OutboxApplication purging = OutboxApplication.on(database)
				.withoutRelay()
				.with("outbox.capture.retention", "1d")
				.start()) {
				Awaitility.await().until(() -> purging.depth() == 1);
			}
			assertThat(keeping.count("partition_key = 'b'")).isOne();
		}
		assertThat(output).doesNotContain("cannot be removed");
	}

	private void relayWorks() {
		this.workers.write(new JdbcWorkerRegistry.Instance("6b3ff9d4-93a4-4a0e-8f7e-0a3d64c4a3f5", "other-host", 7,
				Duration.ofHours(1)), List.of(new JdbcWorkerRegistry.Worker(1, "idle", 5, 0)));
	}

	private void stored(String condition, String time) {
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET created_at = %1$s, available_at = %1$s WHERE %2$s".formatted(time,
					condition))
			.update();
	}

	private String hoursAgo(int hours) {
		SqlFragments sql = this.tables.outbox().dialect().sql();
		return sql.after("-" + Duration.ofHours(hours).toNanos() / 1_000, sql.now());
	}

	private List<Long> ids() {
		return this.tables.jdbc().sql("SELECT id FROM outbox_message ORDER BY id").query(Long.class).list();
	}

}
