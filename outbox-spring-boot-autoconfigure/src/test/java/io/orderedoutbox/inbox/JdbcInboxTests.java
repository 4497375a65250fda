/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.LockWait;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.PostgreSqlStatistics;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static io.orderedoutbox.testing.Latches.await;
import static io.orderedoutbox.testing.Latches.meet;
import static io.orderedoutbox.testing.OwnThread.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Work and record on a real database.
 */
@Timeout(60)
class JdbcInboxTests {

	private final Database database = Servers.database().fresh();

	private OutboxApplication application;

	private Inbox inbox;

	private JdbcClient jdbc;

	@BeforeEach
	void start() {
		this.application = application().start();
		this.inbox = this.application.bean(Inbox.class);
		this.jdbc = this.application.jdbc();
		this.jdbc.sql("CREATE TABLE IF NOT EXISTS effect (id INT PRIMARY KEY, text VARCHAR(100))").update();
		this.jdbc.sql("INSERT INTO effect VALUES (1, ''), (2, ''), (3, '')").update();
	}

	@AfterEach
	void stop() {
		this.application.close();
	}

	private OutboxApplication.Builder application() {
		return OutboxApplication.on(this.database)
			.withoutRelay()
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always");
	}

	private void write(int row, String text) {
		this.jdbc.sql("UPDATE effect SET text = CONCAT(text, ?) WHERE id = ?").params(text, row).update();
	}

	private String effect(int row) {
		return this.jdbc.sql("SELECT text FROM effect WHERE id = ?").param(row).query(String.class).single();
	}

	private List<String> records() {
		return this.jdbc
			.sql("SELECT CONCAT(consumer, ':', %s) FROM inbox_message ORDER BY 1"
				.formatted(this.database.choose("message_id", "encode(message_id, 'escape')", "message_id")))
			.query(String.class)
			.list();
	}

	@Test
	void workIsDoneOnceForEachConsumer() {
		assertThat(this.inbox.process("billing", "m1", () -> write(1, "b"))).isTrue();
		assertThat(this.inbox.process("billing", "m1", () -> write(1, "B"))).isFalse();
		assertThat(this.inbox.process("shipping", "m1", () -> write(1, "s"))).isTrue();
		assertThat(this.inbox.process("billing", "m2", () -> write(1, "c"))).isTrue();
		assertThat(effect(1)).isEqualTo("bsc");
		assertThat(records()).containsExactly("billing:m1", "billing:m2", "shipping:m1");
	}

	@Test
	void workThatFailsLeavesNothing() {
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.inbox.<IOException>process("billing", "m1", () -> {
				write(1, "b");
				throw new IOException("no");
			}));
		assertThat(effect(1)).isEmpty();
		assertThat(records()).isEmpty();
		assertThat(this.inbox.process("billing", "m1", () -> write(1, "again"))).isTrue();
		assertThat(effect(1)).isEqualTo("again");
	}

	@Test
	void workThatMarksItsTransactionForRollbackIsNotDone() {
		assertThatExceptionOfType(UnexpectedRollbackException.class)
			.isThrownBy(() -> this.inbox.process("billing", "m1", () -> {
				write(1, "b");
				new TransactionTemplate(this.application.bean(JdbcTransactionManager.class))
					.executeWithoutResult((status) -> status.setRollbackOnly());
			}));
		assertThat(effect(1)).isEmpty();
		assertThat(records()).isEmpty();
	}

	@Test
	void whatACallbackAfterTheCommitThrowsComesOutAndTheWorkIsNotDoneAgain() {
		AtomicInteger calls = new AtomicInteger();
		assertThatExceptionOfType(CannotAcquireLockException.class)
			.isThrownBy(() -> this.inbox.process("billing", "m1", () -> {
				calls.incrementAndGet();
				write(1, "b");
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						throw new CannotAcquireLockException("in a transaction of its own");
					}

				});
			}))
			.withMessage("in a transaction of its own");
		assertThat(calls).hasValue(1);
		assertThat(effect(1)).isEqualTo("b");
		assertThat(this.inbox.process("billing", "m1", () -> write(1, "B"))).isFalse();
	}

	@Test
	void workJoinsTheTransactionThatIsOpen() {
		this.application.transaction().executeWithoutResult((status) -> {
			assertThat(this.inbox.process("billing", "m1", () -> write(1, "b"))).isTrue();
			assertThat(this.inbox.process("billing", "m1", () -> write(1, "B"))).isFalse();
			status.setRollbackOnly();
		});
		assertThat(effect(1)).isEmpty();
		assertThat(records()).isEmpty();
	}

	@Test
	void aDuplicateAtTheSameTimeWaitsAndIsNotProcessed() {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		CompletableFuture<Boolean> first = meanwhile(() -> this.inbox.process("billing", "m1", () -> {
			write(1, "b");
			begun.countDown();
			await(goOn);
		}));
		await(begun);
		CompletableFuture<Boolean> second = meanwhile(() -> this.inbox.process("billing", "m1", () -> write(1, "B")));
		awaitWaiting();
		goOn.countDown();
		assertThat(second.join()).isFalse();
		assertThat(first.join()).isTrue();
		assertThat(effect(1)).isEqualTo("b");
	}

	@Test
	void aDuplicateAtTheSameTimeIsProcessedIfTheOtherFails() {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		CompletableFuture<Boolean> first = meanwhile(() -> this.inbox.process("billing", "m1", () -> {
			write(1, "b");
			begun.countDown();
			await(goOn);
			throw new IllegalStateException("no");
		}));
		await(begun);
		CompletableFuture<Boolean> second = meanwhile(() -> this.inbox.process("billing", "m1", () -> write(1, "B")));
		awaitWaiting();
		goOn.countDown();
		assertThat(second.join()).isTrue();
		assertThat(first).failsWithin(Duration.ofSeconds(10));
		assertThat(effect(1)).isEqualTo("B");
	}

	@Test
	void theVictimOfADeadlockIsProcessedAgain() {
		CountDownLatch bothHoldOne = new CountDownLatch(2);
		AtomicInteger calls = new AtomicInteger();
		CompletableFuture<Boolean> other = deadlock(bothHoldOne);
		assertThat(this.inbox.process("billing", "m1", () -> {
			calls.incrementAndGet();
			write(1, "i");
			meet(bothHoldOne);
			write(2, "i");
		})).isTrue();
		assertThat(other.join()).isTrue();
		assertThat(calls).hasValue(2);
		assertThat(List.of(effect(1), effect(2))).containsExactly("oi", "oi");
		assertThat(records()).containsExactly("billing:m1");
	}

	@Test
	void soIsTheVictimWhoseWorkHidesTheDeadlockInAnExceptionOfItsOwn() throws Exception {
		CountDownLatch bothHoldOne = new CountDownLatch(2);
		CompletableFuture<Boolean> other = deadlock(bothHoldOne);
		assertThat(this.inbox.<IOException>process("billing", "m1", () -> {
			write(1, "i");
			meet(bothHoldOne);
			try {
				write(2, "i");
			}
			catch (DataAccessException ex) {
				throw new IOException("no account", ex);
			}
		})).isTrue();
		assertThat(other.join()).isTrue();
		assertThat(List.of(effect(1), effect(2))).containsExactly("oi", "oi");
		assertThat(records()).containsExactly("billing:m1");
	}

	@Test
	void whoHasWaitedTooLongForALockIsProcessedAgain() {
		CountDownLatch isHeld = new CountDownLatch(1);
		CountDownLatch mayEnd = new CountDownLatch(1);
		AtomicInteger calls = new AtomicInteger();
		CompletableFuture<Void> other = CompletableFuture
			.runAsync(() -> this.application.transaction().executeWithoutResult((status) -> {
				write(1, "o");
				isHeld.countDown();
				await(mayEnd);
			}));
		assertThat(this.inbox.process("billing", "m1", () -> {
			await(isHeld);
			this.application.jdbc().sql(this.database.lockTimeout(1)).update();
			if (calls.incrementAndGet() == 2) {
				mayEnd.countDown();
				other.join();
			}
			write(1, "i");
		})).isTrue();
		assertThat(calls).hasValue(2);
		assertThat(effect(1)).isEqualTo("oi");
		assertThat(records()).containsExactly("billing:m1");
	}

	@Test
	void workThatCatchesTheExceptionOfADeadlockIsDoneAgainAsAWhole() {
		CountDownLatch bothHoldOne = new CountDownLatch(2);
		CompletableFuture<Boolean> other = deadlock(bothHoldOne);
		assertThat(this.inbox.process("billing", "m1", () -> {
			write(1, "i");
			meet(bothHoldOne);
			writeUnlessRefused(2, "i");
			write(3, "i");
		})).isTrue();
		assertThat(other.join()).isTrue();
		assertThat(List.of(effect(1), effect(2), effect(3))).containsExactly("oi", "oi", "i");
		assertThat(records()).containsExactly("billing:m1");
	}

	@Test
	void inATransactionThatIsOpenItFailsIfItsWorkCatchesTheExceptionOfADeadlock() {
		CountDownLatch bothHoldOne = new CountDownLatch(2);
		CompletableFuture<Boolean> other = deadlock(bothHoldOne);
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> this.application.transaction()
			.executeWithoutResult((status) -> this.inbox.process("billing", "m1", () -> {
				write(1, "i");
				meet(bothHoldOne);
				writeUnlessRefused(2, "i");
				write(3, "i");
			})))
			.withMessageContaining(this.database.choose("rolled the transaction back", "current transaction is aborted",
					"rolled the transaction back"));
		assertThat(other.join()).isTrue();
		assertThat(List.of(effect(1), effect(2), effect(3))).containsExactly("o", "o", "");
		assertThat(records()).isEmpty();
	}

	@Test
	void afterADeadlockTheRecordOfAnotherInstanceIsNotTakenForItsOwn() {
		CountDownLatch bothHoldOne = new CountDownLatch(2);
		CompletableFuture<Boolean> other = deadlock(bothHoldOne);
		assertThat(this.inbox.process("billing", "m1", () -> {
			write(1, "i");
			meet(bothHoldOne);
			writeUnlessRefused(2, "i");
			assertThat(meanwhile(() -> this.inbox.process("billing", "m1",
					() -> this.jdbc.sql("INSERT INTO effect VALUES (4, 'other')").update()))
				.join()).isTrue();
			write(3, "i");
		})).isFalse();
		assertThat(other.join()).isTrue();
		assertThat(List.of(effect(1), effect(2), effect(3), effect(4))).containsExactly("o", "o", "", "other");
		assertThat(records()).containsExactly("billing:m1");
	}

	@Test
	void afterAStatementThatCommitsByItselfTheRestOfTheWorkIsCommittedToo() {
		this.jdbc.sql("CREATE TABLE staging (id INT PRIMARY KEY)").update();
		assertThat(this.inbox.process("billing", "m1", () -> {
			write(1, "i");
			this.jdbc.sql("TRUNCATE TABLE staging").update();
			write(2, "i");
		})).isTrue();
		assertThat(List.of(effect(1), effect(2))).containsExactly("i", "i");
		assertThat(records()).containsExactly("billing:m1");
	}

	// Has changed more than the work, waits longer, or began before it, so that the
	// database gives up the other transaction
	private CompletableFuture<Boolean> deadlock(CountDownLatch bothHoldOne) {
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Boolean> other = meanwhile(() -> this.application.transaction().execute((status) -> {
			if (this.database.isPostgreSql()) {
				this.jdbc.sql("SET LOCAL deadlock_timeout = '20s'").update();
			}
			for (int i = 0; i < 100; i++) {
				this.jdbc.sql("INSERT INTO effect VALUES (?, '')").param(100 + i).update();
			}
			begun.countDown();
			write(2, "o");
			meet(bothHoldOne);
			write(1, "o");
			return true;
		}));
		await(begun);
		return other;
	}

	private void writeUnlessRefused(int id, String text) {
		try {
			write(id, text);
		}
		catch (PessimisticLockingFailureException ex) {
			assertThat(ex.getMessage()).containsIgnoringCase("deadlock");
		}
	}

	@Test
	void idsThatDifferInAnyByteAreDifferent() {
		List<String> ids = List.of("a", "A", "a ", "ä", "a\u0308", "😀", "a\u0000", "\\", "'", "x".repeat(255));
		ids.forEach((id) -> assertThat(this.inbox.process("billing", id, () -> write(1, "."))).as(id).isTrue());
		ids.forEach((id) -> assertThat(this.inbox.process("billing", id, () -> write(1, "!"))).as(id).isFalse());
	}

	private static List<String> settings() {
		if (Servers.database().isH2()) {
			return List.of("SET TIME ZONE 'Asia/Tokyo'", "SET QUERY_TIMEOUT 20000",
					"SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE");
		}
		return Servers.database().isPostgreSql()
				? List.of("SET TIME ZONE 'Asia/Tokyo'", "SET bytea_output = 'escape'",
						"SET standard_conforming_strings = off", "SET default_transaction_isolation = 'serializable'",
						"SET enable_indexscan = off")
				: List.of("SET NAMES latin1", "SET sql_mode = ''", "SET time_zone = '+05:00'",
						"SET sql_mode = 'NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES'");
	}

	@ParameterizedTest
	@MethodSource("settings")
	void theSettingsOfASessionMakeNoDifference(String setting) {
		try (OutboxApplication other = application().with("spring.datasource.hikari.connection-init-sql", setting)
			.start()) {
			assertThat(this.inbox.process("billing", "ä😀\\", () -> write(1, "."))).isTrue();
			assertThat(other.bean(Inbox.class).process("billing", "ä😀\\", () -> write(1, "!"))).isFalse();
			assertThat(other.bean(Inbox.class).process("billing", "m2", () -> write(1, "."))).isTrue();
			assertThat(this.inbox.process("billing", "m2", () -> write(1, "!"))).isFalse();
			assertThat(other.bean(InboxPurge.class)).isNotNull();
			assertThat(records()).hasSize(2);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "ä", "a/b", "a:b" })
	void consumersWithOtherCharactersAreRefused(String consumer) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.inbox.process(consumer, "m1", () -> write(1, ".")))
			.withMessageContaining("name of a consumer");
	}

	@Test
	void idsThatDoNotFitAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.inbox.process("billing", "", () -> write(1, ".")));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.inbox.process("billing", "ä".repeat(128), () -> write(1, ".")))
			.withMessageContaining("255 bytes");
	}

	@Test
	void aTransactionManagerOfAnotherDataSourceIsRefused() {
		DataSource elsewhere = new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(),
				this.database.password());
		Inbox mistaken = new JdbcInbox(this.application.bean(DataSource.class), new JdbcTransactionManager(elsewhere),
				"inbox_message", (ex) -> null);
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> mistaken.process("billing", "m1", () -> write(1, ".")))
			.withMessageContaining("JdbcTransactionManager");
		assertThat(records()).isEmpty();
	}

	@Test
	void aProxyThatKnowsTransactionsIsSeenThrough() {
		DataSource proxy = new TransactionAwareDataSourceProxy(this.application.bean(DataSource.class));
		Inbox behind = new JdbcInbox(proxy, new JdbcTransactionManager(proxy), "inbox_message", (ex) -> null);
		assertThat(behind.process("billing", "m1", () -> write(1, "."))).isTrue();
		assertThat(behind.process("billing", "m1", () -> write(1, "!"))).isFalse();
	}

	@Test
	void whatIsOlderThanTheRetentionIsRemovedByOneInstanceAtATime() {
		for (int i = 0; i < 3; i++) {
			this.inbox.process("billing", "m" + i, () -> write(1, "."));
		}
		this.jdbc
			.sql("UPDATE inbox_message SET processed_at = processed_at - INTERVAL '2' DAY WHERE message_id <> 'm2'")
			.update();
		DataSource dataSource = this.application.bean(DataSource.class);
		InboxRetention retention = new InboxRetention(dataSource, "inbox_message", Duration.ofDays(1));
		assertThat(retention.dryRun()).isEqualTo(2);
		if (!this.database.isH2()) {
			assertThatAnotherOneRemovesNothing(dataSource, retention);
		}
		assertThat(retention.purge(() -> true)).isEqualTo(2);
		assertThat(records()).containsExactly("billing:m2");
	}

	// On H2 both remove what is too old
	private void assertThatAnotherOneRemovesNothing(DataSource dataSource, InboxRetention retention) {
		this.application.transaction().executeWithoutResult((status) -> {
			assertThat(new InboxRecords(new JdbcTemplate(dataSource), "inbox_message").tryLock()).isTrue();
			assertThat(retention.purge(() -> true)).as("while another one is at it").isZero();
			new InboxRecords(new JdbcTemplate(dataSource), "inbox_message").release();
		});
	}

	@Test
	void onePurgeRemovesWhatTakesSeveralTransactions() {
		fill(2_500);
		this.inbox.process("billing", "young", () -> write(1, "."));
		InboxRetention retention = new InboxRetention(this.application.bean(DataSource.class), "inbox_message",
				Duration.ofDays(1));
		AtomicInteger transactions = new AtomicInteger();
		assertThat(retention.purge(() -> transactions.incrementAndGet() < 2)).isEqualTo(2_000);
		assertThat(retention.purge(() -> true)).isEqualTo(500);
		assertThat(records()).containsExactly("billing:young");
	}

	// PostgreSQL keeps what is removed for a transaction that began before
	@Test
	void whatWasRemovedIsNotReadAgainForWhatIsRemovedNext() {
		assumeThat(this.database.isPostgreSql()).isTrue();
		int records = 20_000;
		this.jdbc
			.sql("""
					INSERT INTO inbox_message (consumer, message_id, processing_id, processed_at)
					SELECT 'billing', convert_to('m' || g, 'UTF8'), 1, statement_timestamp() - INTERVAL '2' DAY + g * INTERVAL '1 ms'
					FROM generate_series(1, ?) g""")
			.param(records)
			.update();
		// As its autovacuum does
		this.jdbc.sql("ANALYZE inbox_message").update();
		SingleConnectionDataSource session = new SingleConnectionDataSource(this.database.jdbcUrl(),
				this.database.username(), this.database.password(), true);
		try (session) {
			this.application.transaction().executeWithoutResult((status) -> {
				this.jdbc.sql("SELECT txid_current()").query().listOfRows();
				assertThat(new InboxRetention(session, "inbox_message", Duration.ofDays(1)).purge(() -> true))
					.isEqualTo(records);
			});
			JdbcClient client = JdbcClient.create(session);
			PostgreSqlStatistics.flush(client);
			long read = client.sql(
					"SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelid = to_regclass('inbox_message_age')")
				.query(Long.class)
				.single();
			assertThat(read).isBetween((long) records, 4L * records);
		}
	}

	private void fill(int records) {
		String insert = "INSERT INTO inbox_message (consumer, message_id, processing_id, processed_at) VALUES ('billing', %s, 1, %s - INTERVAL '2' DAY)"
			.formatted(this.database.choose("?", "convert_to(?, 'UTF8')", "?"),
					this.database.choose("UTC_TIMESTAMP(6)", "statement_timestamp()", "CURRENT_TIMESTAMP(6)"));
		new JdbcTemplate(this.application.bean(DataSource.class)).batchUpdate(insert,
				IntStream.range(0, records).mapToObj((number) -> new Object[] { "m" + number }).toList());
	}

	@Test
	void theApplicationPurgesByItself() {
		this.inbox.process("billing", "m1", () -> write(1, "."));
		try (OutboxApplication other = application().with("outbox.inbox.retention", "1s")
			.with("outbox.inbox.purge-interval", "1s")
			.start()) {
			Awaitility.await().until(() -> records().isEmpty());
			assertThat(other.bean(InboxPurge.class).isRunning()).isTrue();
		}
	}

	// On H2, one that waits for a row that is not committed tries again and again
	private void awaitWaiting() {
		if (this.database.isH2()) {
			Awaitility.await()
				.until(() -> this.jdbc.sql(
						"SELECT COUNT(*) FROM information_schema.sessions WHERE executing_statement LIKE 'INSERT INTO inbox_message%'")
					.query(Integer.class)
					.single() > 0);
			return;
		}
		LockWait.await(this.jdbc);
	}

}
