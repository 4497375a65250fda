/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.time.Duration;
import java.util.Date;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.OutboxStoreException;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whatever goes wrong between the last line of business code and the commit: no business
 * data without its events.
 */
class FlushFailureTests {

	@AutoClose
	private static OutboxApplication application;

	private Business business;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start();
	}

	@BeforeEach
	void empty() {
		this.business = Business.in(application.jdbc());
	}

	@Test
	void timeoutThatExpiresAtTheFlushRollsBack() {
		assertThatExceptionOfType(OutboxStoreException.class).isThrownBy(() -> withTimeout((status) -> {
			place();
			awaitDeadline();
		})).withCauseInstanceOf(TransactionTimedOutException.class).withMessageContaining("rolled back");
		assertNothingRemains();
	}

	@Test
	void timeoutThatExpiresInACallbackBeforeTheCommitRollsBack() {
		assertThatExceptionOfType(TransactionTimedOutException.class).isThrownBy(() -> withTimeout((status) -> {
			place();
			beforeCommit(() -> {
				awaitDeadline();
				this.business.write("too late");
			});
		}));
		assertNothingRemains();
	}

	@Test
	void transactionExceptionOfACallbackBeforeTheCommitRollsBack() {
		assertThatExceptionOfType(TransactionException.class)
			.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
				place();
				beforeCommit(() -> application.transaction().executeWithoutResult((participating) -> {
					throw new TransactionTimedOutException("somewhere else");
				}));
			}));
		assertNothingRemains();
	}

	@Test
	void unexpectedRollbackOfAnotherTransactionInACallbackRollsBack() {
		assertThatExceptionOfType(UnexpectedRollbackException.class)
			.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
				place();
				beforeCommit(() -> {
					throw new UnexpectedRollbackException("of a transaction that a callback has started");
				});
			}));
		assertNothingRemains();
	}

	@Test
	void suspendedTransactionSurvivesATransactionExceptionInTheInnerOne() {
		application.transaction().executeWithoutResult((outer) -> {
			this.business.write("outer");
			application.outbox().publish(new OrderPlaced("outer", 1));
			assertThatExceptionOfType(TransactionException.class)
				.isThrownBy(() -> requiresNew().executeWithoutResult((inner) -> {
					place();
					beforeCommit(() -> {
						throw new TransactionTimedOutException("inner");
					});
				}));
			application.outbox().publish(new OrderPlaced("outer", 2));
		});
		assertThat(this.business.notes()).containsExactly("outer");
		assertThat(application.rows()).extracting((row) -> row.partitionKey()).containsExactly("outer", "outer");
	}

	@Test
	void threadIsUsableAfterATransactionExceptionInACallback() {
		assertThatExceptionOfType(TransactionException.class)
			.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
				place();
				beforeCommit(() -> {
					throw new TransactionTimedOutException("first");
				});
			}));
		application.transaction().executeWithoutResult((status) -> place());
		assertThat(this.business.notes()).hasSize(1);
		assertThat(application.depth()).isOne();
	}

	@Test
	void failingInsertFailsTheBusinessTransaction() {
		application.jdbc().sql("RENAME TABLE outbox_message TO outbox_elsewhere").update();
		try {
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> place()))
				.withMessageContaining("outbox_message");
			assertThat(this.business.notes()).isEmpty();
		}
		finally {
			application.jdbc().sql("RENAME TABLE outbox_elsewhere TO outbox_message").update();
		}
		assertNothingRemains();
	}

	@Test
	void lostStripeFailsTheBusinessTransactionAndSaysWhatIsMissing() {
		application.jdbc().sql("DELETE FROM outbox_stripe WHERE id = CRC32('order') % 64").update();
		try {
			assertThatExceptionOfType(OutboxConfigurationException.class)
				.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> place()))
				.withMessageContaining("outbox_stripe")
				.withMessageContaining("0 to 63");
		}
		finally {
			application.jdbc().sql("INSERT INTO outbox_stripe (id) SELECT CRC32('order') % 64").update();
		}
		assertNothingRemains();
	}

	@Test
	void lockWaitTimeoutAtAStripeFailsTheBusinessTransaction() {
		application.transaction().executeWithoutResult((holder) -> {
			application.jdbc()
				.sql("SELECT id FROM outbox_stripe WHERE id = CRC32('order') % 64 FOR UPDATE")
				.query()
				.singleValue();
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> requiresNew().executeWithoutResult((inner) -> {
					application.jdbc().sql("SET SESSION innodb_lock_wait_timeout = 1").update();
					place();
				}));
		});
		assertNothingRemains();
	}

	private void place() {
		this.business.write("placed");
		application.outbox().publish(new OrderPlaced("order", 1));
	}

	private void assertNothingRemains() {
		assertThat(this.business.notes()).as("business data without its event").isEmpty();
		assertThat(application.depth()).isZero();
	}

	private static void withTimeout(Consumer<TransactionStatus> work) {
		TransactionTemplate template = new TransactionTemplate(application.transaction().getTransactionManager());
		template.setTimeout(1);
		template.executeWithoutResult(work);
	}

	private static TransactionTemplate requiresNew() {
		TransactionTemplate template = new TransactionTemplate(application.transaction().getTransactionManager());
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return template;
	}

	private static void awaitDeadline() {
		ConnectionHolder connection = (ConnectionHolder) TransactionSynchronizationManager
			.getResource(application.bean(DataSource.class));
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> new Date().after(connection.getDeadline()));
	}

	private static void beforeCommit(Runnable callback) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void beforeCommit(boolean readOnly) {
				callback.run();
			}

		});
	}

}
