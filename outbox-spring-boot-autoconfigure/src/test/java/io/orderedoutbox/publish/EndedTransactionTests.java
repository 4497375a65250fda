/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.orderedoutbox.OutboxStoreException;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.LockWait;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.RewritingDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Transactions that the server has ended while the application went on, where
 * {@code outbox.jdbc.verify-transaction} is set.
 */
class EndedTransactionTests {

	@AutoClose
	private static OutboxApplication application;

	private Business business;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("outbox.jdbc.verify-transaction", true)
			.start();
	}

	@BeforeEach
	void empty() {
		this.business = Business.in(application.jdbc());
	}

	@ParameterizedTest
	@ValueSource(strings = { "ROLLBACK", "COMMIT", "CREATE TABLE IF NOT EXISTS other (id INT)", "TRUNCATE TABLE note",
			"START TRANSACTION" })
	void theServersEndOfATransactionIsFoundBeforeTheCommit(String end) {
		skipWhereItEndsNothing(end);
		assertRefused((status) -> {
			application.outbox().publish(new OrderPlaced("a", 1));
			application.jdbc().sql(end).update();
			this.business.write("after");
			application.outbox().publish(new OrderPlaced("a", 2));
		});
		assertThat(this.business.notes()).isEmpty();
	}

	private static void skipWhereItEndsNothing(String statement) {
		if (!Set.of("ROLLBACK", "COMMIT").contains(statement)) {
			OutboxTables.skipOnPostgreSql("a table is made and emptied in the transaction");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ROLLBACK", "COMMIT", "TRUNCATE TABLE note" })
	void soItIsBeforeTheFirstEvent(String end) {
		skipWhereItEndsNothing(end);
		assertRefused((status) -> {
			this.business.write("before");
			application.jdbc().sql(end).update();
			this.business.write("after");
			application.outbox().publish(new OrderPlaced("a", 1));
		});
		assertThat(this.business.notes()).doesNotContain("after");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theVictimOfADeadlockIsFoundBeforeTheCommit(boolean publishedBefore) throws Exception {
		OutboxTables.skipOnPostgreSql("a transaction can do nothing after an error");
		this.business.write("one");
		this.business.write("two");
		List<Long> notes = application.jdbc().sql("SELECT id FROM note ORDER BY id").query(Long.class).list();
		CountDownLatch locked = new CountDownLatch(2);
		ExecutorService other = Executors.newSingleThreadExecutor();
		try {
			assertRefused((status) -> {
				update(notes.get(0));
				Future<?> heavier = other.submit(() -> application.transaction().executeWithoutResult((inner) -> {
					// What has changed least becomes the victim
					IntStream.range(0, 20).forEach((row) -> this.business.write("heavy"));
					update(notes.get(1));
					locked.countDown();
					update(notes.get(0));
				}));
				if (publishedBefore) {
					application.outbox().publish(new OrderPlaced("a", 1));
				}
				locked.countDown();
				awaitBoth(locked);
				LockWait.await(application.jdbc());
				assertThatExceptionOfType(PessimisticLockingFailureException.class)
					.isThrownBy(() -> update(notes.get(1)));
				get(heavier);
				this.business.write("after");
				application.outbox().publish(new OrderPlaced("a", 2));
			});
		}
		finally {
			other.shutdownNow();
		}
		assertThat(this.business.notes()).doesNotContain("after");
	}

	@Test
	void transactionsThatLastAreCommitted() {
		application.transaction().executeWithoutResult((status) -> {
			this.business.write("before");
			application.outbox().publish(new OrderPlaced("a", 1));
			nested(false, () -> application.outbox().publish(new OrderPlaced("a", 2)));
			nested(true, () -> application.outbox().publish(new OrderPlaced("a", 3)));
			application.outbox().publish(new OrderPlaced("a", 4));
		});
		assertThat(application.depth()).isEqualTo(3);
		assertThat(this.business.notes()).containsExactly("before");
	}

	@Test
	void aNestedPartBeforeTheFirstEventDoesNoHarm() {
		application.transaction().executeWithoutResult((status) -> {
			nested(false, () -> application.outbox().publish(new OrderPlaced("a", 1)));
			application.outbox().publish(new OrderPlaced("a", 2));
			nested(true, () -> application.outbox().publish(new OrderPlaced("a", 3)));
		});
		assertThat(application.depth()).isEqualTo(2);
	}

	@Test
	void aTransactionWithoutEventsIsNotAsked() {
		application.transaction().executeWithoutResult((status) -> {
			this.business.write("before");
			application.jdbc().sql("COMMIT").update();
		});
		assertThat(this.business.notes()).containsExactly("before");
	}

	@Test
	void aRollbackAtTheEndOfANestedPartBeforeTheFirstEventIsFound() {
		assertRefused((status) -> {
			nested(false, () -> this.business.write("nested"));
			application.jdbc().sql("ROLLBACK").update();
			application.outbox().publish(new OrderPlaced("a", 1));
		});
	}

	@Test
	void transactionsWithinAnotherAreFoundEachForItself() {
		application.transaction().executeWithoutResult((status) -> {
			assertRefused((inner) -> {
				application.jdbc().sql("COMMIT").update();
				application.outbox().publish(new OrderPlaced("a", 1));
			}, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			application.outbox().publish(new OrderPlaced("a", 2));
		});
		assertThat(application.depth()).isOne();
	}

	@Test
	void whatATransactionMaySetAtItsBeginningItStillMay() {
		OutboxTables.skipOnPostgreSql("it sets nothing after a savepoint");
		application.transaction().executeWithoutResult((status) -> {
			application.jdbc().sql("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE").update();
			application.jdbc().sql("START TRANSACTION READ ONLY").update();
		});
		TransactionTemplate reading = template(TransactionDefinition.PROPAGATION_REQUIRED);
		reading.setReadOnly(true);
		reading.executeWithoutResult((status) -> assertThat(this.business.notes()).isEmpty());
	}

	@Test
	void aSavepointThatFailsLeavesNoTransactionBehind() throws SQLException {
		try (OutboxApplication failing = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("outbox.jdbc.verify-transaction", true)
			.with(FailingSavepoints.class)
			.start()) {
			assertThatExceptionOfType(OutboxStoreException.class)
				.isThrownBy(() -> failing.publish(new OrderPlaced("a", 1)))
				.withMessageContaining("began")
				.withStackTraceContaining("SAVEPOINT");
			assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
			assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
			assertThat(failing.depth()).isZero();
			HikariPoolMXBean pool = failing.bean(DataSource.class).unwrap(HikariDataSource.class).getHikariPoolMXBean();
			// The heartbeat may have one for a moment
			Awaitility.await().until(() -> pool.getActiveConnections() == 0);
		}
	}

	private static TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(application.transaction().getTransactionManager());
		template.setPropagationBehavior(propagation);
		return template;
	}

	private static void nested(boolean rollback, Runnable work) {
		template(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult((status) -> {
			work.run();
			if (rollback) {
				status.setRollbackOnly();
			}
		});
	}

	private static void assertRefused(Consumer<TransactionStatus> work) {
		assertRefused(work, TransactionDefinition.PROPAGATION_REQUIRED);
	}

	private static void assertRefused(Consumer<TransactionStatus> work, int propagation) {
		assertThatExceptionOfType(OutboxStoreException.class)
			.isThrownBy(() -> template(propagation).executeWithoutResult(work))
			.withMessageContaining("ended the transaction");
		assertThat(application.depth()).isZero();
	}

	private static void update(long note) {
		application.jdbc().sql("UPDATE note SET text = CONCAT(text, '!') WHERE id = ?").param(note).update();
	}

	private static void awaitBoth(CountDownLatch locked) {
		try {
			assertThat(locked.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void get(Future<?> future) {
		try {
			future.get(20, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class FailingSavepoints {

		@Bean
		static BeanPostProcessor failingSavepoints() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					return (bean instanceof DataSource dataSource) ? new RewritingDataSource(dataSource,
							(sql) -> sql.replaceFirst("^SAVEPOINT ", "SAVEPOINT, ")) : bean;
				}

			};
		}

	}

}
