/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static io.orderedoutbox.testing.Latches.meet;
import static io.orderedoutbox.testing.OwnThread.meanwhile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The promises of the inbox with Hibernate, which writes when the transaction commits.
 */
@Timeout(60)
class JpaInboxTests {

	@AutoClose
	private static OutboxApplication application;

	private static EntityManager entities;

	private static Inbox inbox;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withJpa()
			.withoutRelay()
			.with("spring.jpa.hibernate.ddl-auto", "create")
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.with(Entities.class)
			.start();
		entities = SharedEntityManagerCreator.createSharedEntityManager(application.bean(EntityManagerFactory.class));
		inbox = application.bean(Inbox.class);
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM inbox_message").update();
		application.jdbc().sql("DELETE FROM jpa_account").update();
		application.transaction().executeWithoutResult((status) -> {
			entities.persist(new Account(1));
			entities.persist(new Account(2));
		});
	}

	@Test
	void managerIsThatOfJpa() {
		assertThat(application.bean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
	}

	@Test
	void whatIsWrittenAtTheCommitBelongsToTheMessage() {
		assertThat(inbox.process("billing", "m1", () -> account(1).add("i"))).isTrue();
		assertThat(inbox.process("billing", "m1", () -> account(1).add("i"))).isFalse();
		assertThat(texts()).containsExactly("i", "");
		assertThat(records()).containsExactly("m1");
	}

	@Test
	void whatFailsWhenItIsWrittenAtTheCommitLeavesNothing() {
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> inbox.process("billing", "m1", () -> {
				account(1).add("i");
				account(2).add("x".repeat(Account.LONGEST + 1));
			}));
		assertThat(texts()).containsExactly("", "");
		assertThat(records()).isEmpty();
	}

	// Both find it out when they commit: the work is over then
	@Test
	void theVictimOfADeadlockAtTheCommitIsProcessedAgain() {
		crossing(() -> {
		});
	}

	// No repository translates what the flush throws
	@Test
	void theVictimOfADeadlockInItsWorkIsProcessedAgain() {
		crossing(entities::flush);
	}

	@Test
	void soIsWorkWhoseRowAnotherTransactionHasChangedSinceItWasRead() {
		AtomicInteger calls = new AtomicInteger();
		assertThat(inbox.process("billing", "m1", () -> {
			Account account = account(1);
			if (calls.incrementAndGet() == 1) {
				addInAnotherTransaction("o");
			}
			account.add("i");
		})).isTrue();
		assertThat(calls).hasValue(2);
		assertThat(texts()).containsExactly("oi", "");
		assertThat(records()).containsExactly("m1");
	}

	@Test
	void workThatLosesItsRowEachTimeFailsAndLeavesNothing() {
		assertThat(callsUntilItFails(Runnable::run)).isEqualTo(3);
		assertThat(texts()).containsExactly("ooo", "");
		assertThat(records()).isEmpty();
	}

	@Test
	void inATransactionThatIsOpenWorkWhoseRowHasChangedFails() {
		assertThat(callsUntilItFails((work) -> application.transaction().executeWithoutResult((status) -> work.run())))
			.isEqualTo(1);
		assertThat(texts()).containsExactly("o", "");
		assertThat(records()).isEmpty();
	}

	// An optimistic lock that failed; MariaDB refuses the row before Hibernate can
	private static int callsUntilItFails(Consumer<Runnable> caller) {
		AtomicInteger calls = new AtomicInteger();
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> caller.accept(() -> inbox.process("billing", "m1", () -> {
				Account account = account(1);
				calls.incrementAndGet();
				addInAnotherTransaction("o");
				account.add("i");
			})));
		return calls.get();
	}

	// The victim may begin again before the other one has committed. Then its rows are
	// old, or, on PostgreSQL, there is a second deadlock: one more call
	private static void crossing(Runnable end) {
		CountDownLatch bothHoldOne = new CountDownLatch(2);
		AtomicInteger calls = new AtomicInteger();
		CompletableFuture<Boolean> other = meanwhile(() -> process("m2", "o", 2, 1, bothHoldOne, calls, end));
		assertThat(process("m1", "i", 1, 2, bothHoldOne, calls, end)).isTrue();
		assertThat(other.join()).isTrue();
		assertThat(calls).hasValueBetween(3, 4);
		assertThat(texts()).allMatch((text) -> List.of("io", "oi").contains(text));
		assertThat(records()).containsExactly("m1", "m2");
	}

	private static boolean process(String messageId, String text, long first, long second, CountDownLatch bothHoldOne,
			AtomicInteger calls, Runnable end) {
		return inbox.process("billing", messageId, () -> {
			calls.incrementAndGet();
			account(first).add(text);
			entities.flush();
			meet(bothHoldOne);
			account(second).add(text);
			end.run();
		});
	}

	private static void addInAnotherTransaction(String text) {
		TransactionTemplate another = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		another.executeWithoutResult((status) -> account(1).add(text));
	}

	private static Account account(long id) {
		return entities.find(Account.class, id);
	}

	private static List<String> texts() {
		return application.jdbc().sql("SELECT text FROM jpa_account ORDER BY id").query(String.class).list();
	}

	private static List<String> records() {
		return application.jdbc()
			.sql("SELECT %s FROM inbox_message ORDER BY message_id"
				.formatted(Servers.database().choose("message_id", "encode(message_id, 'escape')", "message_id")))
			.query(String.class)
			.list();
	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = Account.class)
	static class Entities {

	}

	@Entity
	@Table(name = "jpa_account")
	static class Account {

		static final int LONGEST = 100;

		@Id
		private long id;

		// Without it, the later of two transactions overwrites what the first has added
		@Version
		private Integer version;

		@Column(length = LONGEST)
		private String text = "";

		Account() {
		}

		Account(long id) {
			this.id = id;
		}

		void add(String more) {
			this.text += more;
		}

	}

}
