/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static io.orderedoutbox.testing.Latches.await;
import static io.orderedoutbox.testing.Latches.meet;
import static io.orderedoutbox.testing.OwnThread.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The inbox on H2, whatever database the tests use. With {@code OUTBOX_TEST_DATABASE=h2}
 * the other tests of the inbox run on it, too.
 */
@Timeout(60)
class H2InboxTests {

	private Database database;

	private HikariDataSource pool;

	private JdbcTransactionManager transactions;

	private JdbcClient jdbc;

	private Inbox inbox;

	@BeforeEach
	void start() {
		with("");
	}

	private void with(String options) {
		close();
		this.database = Database.h2(options);
		this.pool = pool(this.database);
		this.transactions = new JdbcTransactionManager(this.pool);
		this.jdbc = JdbcClient.create(this.pool);
		this.inbox = new JdbcInbox(this.pool, this.transactions, "inbox_message", (ex) -> null);
		create();
		this.jdbc.sql("CREATE TABLE effect (id INT PRIMARY KEY, text VARCHAR(100))").update();
		this.jdbc.sql("INSERT INTO effect VALUES (1, ''), (2, ''), (3, '')").update();
	}

	private static HikariDataSource pool(Database database) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(database.jdbcUrl());
		pool.setUsername(database.username());
		pool.setPassword(database.password());
		return pool;
	}

	private static InboxSchema schema() {
		return new InboxSchema("h2", "inbox_message", "inbox_dead_letter");
	}

	private void create() {
		schema().create(this.pool, schema().script(), (one, script) -> new ResourceDatabasePopulator(
				new ByteArrayResource(script.text().getBytes(StandardCharsets.UTF_8)))
			.execute(one));
	}

	private void check() {
		new InboxCheck(this.pool, "inbox_message", H2InboxTests::schema).afterSingletonsInstantiated();
	}

	@AfterEach
	void close() {
		if (this.pool != null) {
			this.pool.close();
		}
	}

	private void write(int row, String text) {
		this.jdbc.sql("UPDATE effect SET text = CONCAT(text, ?) WHERE id = ?").params(text, row).update();
	}

	private List<String> effects() {
		return this.jdbc.sql("SELECT text FROM effect ORDER BY id").query(String.class).list();
	}

	private List<String> records() {
		return this.jdbc.sql("SELECT CONCAT(consumer, ':', message_id) FROM inbox_message ORDER BY 1")
			.query(String.class)
			.list();
	}

	@Test
	void anApplicationNeedsNoPropertyForItsTables() {
		Database database = Database.h2("");
		try (OutboxApplication application = OutboxApplication.on(database)
			.withoutRelay()
			.with("outbox.inbox.enabled", true)
			.start()) {
			Inbox one = application.bean(Inbox.class);
			assertThat(one.process("billing", "m1", () -> {
			})).isTrue();
			assertThat(one.process("billing", "m1", () -> {
			})).isFalse();
			assertThat(application.jdbc().sql("SELECT COUNT(*) FROM inbox_dead_letter").query(Long.class).single())
				.isZero();
		}
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> OutboxApplication.on(Database.h2(""))
				.withoutRelay()
				.with("outbox.inbox.enabled", true)
				.with("outbox.inbox.initialize-schema", "never")
				.start()
				.close())
			.withMessageContainingAll("missing", "schema-h2.sql");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ";MODE=LEGACY", ";MODE=MySQL", ";MODE=MySQL;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
			";MODE=MariaDB", ";MODE=PostgreSQL", ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH" })
	void workIsDoneOnceInEachOfItsModes(String mode) {
		with(mode);
		check();
		create();
		List<String> ids = List.of("a", "A", "a ", "ä", "a\u0308", "😀", "a\u0000", "\\", "'", "x".repeat(255));
		ids.forEach((id) -> assertThat(this.inbox.process("billing", id, () -> write(1, "."))).as(id).isTrue());
		ids.forEach((id) -> assertThat(this.inbox.process("billing", id, () -> write(1, "!"))).as(id).isFalse());
		assertThat(this.inbox.process("shipping", "a", () -> write(1, "s"))).isTrue();
		assertThatIllegalStateException().isThrownBy(() -> this.inbox.process("billing", "failed", () -> {
			write(1, "!");
			throw new IllegalStateException("no");
		}));
		assertThat(effects()).containsExactly("..........s", "", "");
		assertThat(records()).hasSize(11);
		this.jdbc
			.sql("UPDATE inbox_message SET processed_at = processed_at - INTERVAL '2' DAY WHERE consumer = 'billing'")
			.update();
		InboxRetention retention = new InboxRetention(this.pool, "inbox_message", Duration.ofDays(1));
		assertThat(retention.dryRun()).isEqualTo(10);
		assertThat(retention.purge(() -> true)).isEqualTo(10);
		assertThat(records()).containsExactly("shipping:a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Oracle", "MSSQLServer", "STRICT" })
	void anotherModeIsRefusedByItsName(String mode) {
		assertThatException()
			.isThrownBy(() -> OutboxApplication.on(Database.h2(";MODE=" + mode))
				.with("outbox.enabled", false)
				.with("outbox.inbox.enabled", true)
				.start()
				.close())
			.satisfies((ex) -> assertThat(NestedExceptionUtils.getMostSpecificCause(ex))
				.isInstanceOf(OutboxConfigurationException.class)
				.hasMessageContaining("H2 in mode"));
	}

	@ParameterizedTest
	@ValueSource(strings = { ";IGNORECASE=TRUE", ";IGNORECASE=TRUE;DATABASE_TO_LOWER=TRUE" })
	void aTableInWhichDifferentMessagesAreEqualIsRefused(String options) {
		with(options);
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::check)
			.withMessageContaining("primary key (consumer, message_id)");
	}

	@ParameterizedTest
	@ValueSource(ints = { Connection.TRANSACTION_READ_UNCOMMITTED, Connection.TRANSACTION_READ_COMMITTED,
			Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE })
	void aDuplicateAtTheSameTimeWaitsInAnyIsolation(int isolation) throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		CompletableFuture<Boolean> first = meanwhile(() -> this.inbox.process("billing", "m1", () -> {
			write(1, "b");
			begun.countDown();
			await(goOn);
		}));
		await(begun);
		CompletableFuture<Boolean> second = meanwhile(() -> inIsolation(isolation).execute((status) -> {
			// As a transaction does that has its snapshot
			effects();
			return this.inbox.process("billing", "m1", () -> write(1, "B"));
		}));
		// It is not blocked by the other one: it tries again and again
		Awaitility.await()
			.until(() -> this.jdbc.sql(
					"SELECT COUNT(*) FROM information_schema.sessions WHERE executing_statement LIKE 'INSERT INTO inbox_message%'")
				.query(Integer.class)
				.single() > 0);
		goOn.countDown();
		assertThat(second.join()).isFalse();
		assertThat(first.join()).isTrue();
		assertThat(effects()).containsExactly("b", "", "");
	}

	private TransactionTemplate inIsolation(int isolation) {
		TransactionTemplate transaction = new TransactionTemplate(this.transactions);
		transaction.setIsolationLevel(isolation);
		return transaction;
	}

	// Of two that wait for each other H2 rolls back the one that began later
	@Test
	void theVictimOfADeadlockIsProcessedAgainAlsoIfItsWorkCatchesTheException() {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch bothHoldOne = new CountDownLatch(2);
		CompletableFuture<Boolean> other = meanwhile(
				() -> new TransactionTemplate(this.transactions).execute((status) -> {
					write(2, "o");
					begun.countDown();
					meet(bothHoldOne);
					write(1, "o");
					return true;
				}));
		await(begun);
		AtomicInteger calls = new AtomicInteger();
		assertThat(this.inbox.process("billing", "m1", () -> {
			write(1, "i");
			meet(bothHoldOne);
			if (calls.incrementAndGet() == 1) {
				assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(() -> write(2, "i"));
			}
			else {
				write(2, "i");
			}
			write(3, "i");
		})).isTrue();
		assertThat(other.join()).isTrue();
		assertThat(calls).hasValue(2);
		assertThat(effects()).containsExactly("oi", "oi", "i");
		assertThat(records()).containsExactly("billing:m1");
	}

	// For Spring it is a query that has taken too long
	@Test
	void whoHasWaitedTooLongForALockIsProcessedAgain() {
		CountDownLatch isHeld = new CountDownLatch(1);
		CountDownLatch mayEnd = new CountDownLatch(1);
		CompletableFuture<Boolean> other = meanwhile(
				() -> new TransactionTemplate(this.transactions).execute((status) -> {
					write(1, "o");
					isHeld.countDown();
					await(mayEnd);
					return true;
				}));
		await(isHeld);
		AtomicInteger calls = new AtomicInteger();
		assertThat(this.inbox.process("billing", "m1", () -> {
			if (calls.incrementAndGet() == 2) {
				mayEnd.countDown();
				other.join();
			}
			this.jdbc.sql("SET LOCK_TIMEOUT 200").update();
			write(1, "i");
		})).isTrue();
		assertThat(calls).hasValue(2);
		assertThat(effects()).containsExactly("oi", "", "");
	}

	@Test
	void soIsWorkWhoseRowHasChangedSinceItsSnapshot() {
		this.pool.close();
		this.pool = pool(this.database);
		this.pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
		this.transactions = new JdbcTransactionManager(this.pool);
		this.jdbc = JdbcClient.create(this.pool);
		this.inbox = new JdbcInbox(this.pool, this.transactions, "inbox_message", (ex) -> null);
		AtomicInteger calls = new AtomicInteger();
		assertThat(this.inbox.process("billing", "m1", () -> {
			effects();
			if (calls.incrementAndGet() == 1) {
				meanwhile(() -> new TransactionTemplate(this.transactions).execute((status) -> {
					write(1, "o");
					return true;
				})).join();
			}
			write(1, "i");
		})).isTrue();
		assertThat(calls).hasValue(2);
		assertThat(effects()).containsExactly("oi", "", "");
	}

	// Without a lock, one finds an index that another one is making
	@RepeatedTest(10)
	void instancesThatStartAtTheSameTimeMakeTheTables() {
		this.jdbc.sql("DROP TABLE inbox_message, inbox_dead_letter").update();
		CountDownLatch start = new CountDownLatch(4);
		List<CompletableFuture<Boolean>> instances = Stream.generate(() -> meanwhile(() -> {
			meet(start);
			create();
			return true;
		})).limit(4).toList();
		assertThat(instances).allMatch(CompletableFuture::join);
		check();
	}

	// There is no lock that would let one at a time
	@Test
	void twoThatRemoveWhatIsTooOldRemoveItOnce() {
		this.jdbc.sql("""
				INSERT INTO inbox_message SELECT 'billing', CONCAT('m', x), x, CURRENT_TIMESTAMP - INTERVAL '2' DAY
				FROM SYSTEM_RANGE(1, 5000)""").update();
		this.inbox.process("billing", "new", () -> write(1, "."));
		AtomicLong removed = new AtomicLong();
		CountDownLatch start = new CountDownLatch(2);
		List<CompletableFuture<Boolean>> purges = Stream.generate(() -> meanwhile(() -> {
			meet(start);
			removed.addAndGet(new InboxRetention(this.pool, "inbox_message", Duration.ofDays(1)).purge(() -> true));
			return true;
		})).limit(2).toList();
		assertThat(purges).allMatch(CompletableFuture::join);
		assertThat(removed).hasValue(5000);
		assertThat(records()).containsExactly("billing:new");
	}

}
