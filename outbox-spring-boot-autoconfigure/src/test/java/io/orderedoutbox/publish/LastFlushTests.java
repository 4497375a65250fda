/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.testing.StoredRow;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.FlushModeType;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PostRemove;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.PrePersist;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Table;
import jakarta.transaction.Synchronization;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionImplementor;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.hibernate.HibernateTransactionManager;
import org.springframework.orm.jpa.hibernate.SessionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What entity listeners publish while Hibernate flushes for the last time, within the
 * commit and after the last callback of Spring before it.
 */
@Timeout(120)
class LastFlushTests {

	@AutoClose
	private static OutboxApplication application;

	private static EntityManager entities;

	private static Consumer<Account> afterPersist;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withJpa()
			.withoutRelay()
			.withSqlLog()
			.with("spring.jpa.hibernate.ddl-auto", "create")
			.with(Entities.class)
			.start();
		entities = SharedEntityManagerCreator.createSharedEntityManager(factory());
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM jpa_account").update();
		application.jdbc().sql("DELETE FROM outbox_message").update();
		afterPersist = (account) -> {
		};
	}

	@Test
	void eventsOfAllCallbacksOfAnEntityAreStored() {
		inTransaction(() -> entities.persist(new Account("a")));
		inTransaction(() -> entities.find(Account.class, "a").balance = 1);
		inTransaction(() -> entities.remove(entities.find(Account.class, "a")));
		assertThat(stored()).containsExactly("a before persist", "a persisted", "a before update", "a updated",
				"a removed");
	}

	@Test
	void withoutAnEventBeforeTheCommitTheyAreWrittenTogetherAfterTheFlush() {
		List<String> statements = SqlLog.of(() -> inTransaction(() -> {
			Account account = entities.find(Account.class, "none");
			assertThat(account).isNull();
			for (String id : List.of("c", "a", "b")) {
				entities.persist(new Silent(id));
			}
		}));
		assertThat(statements.stream()
			.filter((statement) -> !statement.startsWith("set "))
			.map((statement) -> statement.replaceAll("(?s)^(insert into \\w+|select s\\.id|\\w+).*", "$1")))
			.containsExactly("select", "insert into jpa_account", "insert into jpa_account", "insert into jpa_account",
					"select", "insert into outbox_message", "commit");
		assertThat(stored()).containsExactly("c persisted", "a persisted", "b persisted");
	}

	@Test
	void writersThatFlushTheSameKeysInOppositeOrderDoNotDeadlock() throws Exception {
		int transactions = 30;
		CyclicBarrier together = new CyclicBarrier(2);
		CompletableFuture<?>[] writers = IntStream.of(1, -1).mapToObj((direction) -> CompletableFuture.runAsync(() -> {
			for (int transaction = 0; transaction < transactions; transaction++) {
				await(together);
				String prefix = direction + "/" + transaction;
				inTransaction(() -> IntStream.range(0, 20)
					.map((key) -> (direction > 0) ? key : 19 - key)
					.forEach((key) -> entities.persist(new Silent(prefix + "/" + key, "key " + key))));
			}
		}, OWN_THREAD)).toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(writers).get(100, TimeUnit.SECONDS);
		assertThat(application.depth()).isEqualTo(2L * transactions * 20);
	}

	@Test
	void whatASecondFlushFindsIsStoredAfterWhatTheFirstHasFound() {
		afterPersist = (account) -> account.balance = 7;
		inTransaction(() -> {
			application.outbox().publish(new Changed("a", "announced"));
			entities.persist(new Account("a"));
		});
		assertThat(stored()).containsExactly("a announced", "a before persist", "a persisted", "a before update",
				"a updated");
	}

	@Test
	void aCommitThatFailsInItsFlushStoresNothing() {
		inTransaction(() -> entities.persist(new Silent("taken")));
		assertThatThrownBy(() -> inTransaction(() -> {
			entities.persist(new Silent("first"));
			entities.persist(new Silent("taken"));
		})).isInstanceOf(DataIntegrityViolationException.class);
		assertThat(stored()).containsExactly("taken persisted");
		assertThat(accounts()).containsExactly("taken");
	}

	@Test
	void anEventThatIsRefusedInTheFlushRollsBack() {
		afterPersist = (account) -> application.outbox().publish(new Changed(null, "without a key"));
		assertThatThrownBy(() -> inTransaction(() -> entities.persist(new Silent("a"))))
			.hasStackTraceContaining("has no partition key");
		assertThat(accounts()).isEmpty();
		assertThat(stored()).isEmpty();
	}

	@Test
	void messagesThatCannotBeStoredAfterTheFlushRollBack() {
		application.jdbc().sql("RENAME TABLE outbox_stripe TO away").update();
		try {
			assertThatThrownBy(() -> inTransaction(() -> entities.persist(new Silent("a"))))
				.hasStackTraceContaining("outbox_stripe");
		}
		finally {
			application.jdbc().sql("RENAME TABLE away TO outbox_stripe").update();
		}
		assertThat(accounts()).isEmpty();
		assertThat(stored()).isEmpty();
	}

	@Test
	void aListenerThatPublishesInANewTransactionKeepsItsOwn() {
		afterPersist = (account) -> template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
			.executeWithoutResult((inner) -> application.outbox().publish(new Changed("inner", "stays")));
		inTransaction(() -> entities.persist(new Silent("a")));
		assertThat(stored()).containsExactly("inner stays", "a persisted");
		assertThatThrownBy(() -> inTransaction(() -> {
			entities.persist(new Silent("b"));
			entities.persist(new Silent("a"));
		})).isInstanceOf(DataIntegrityViolationException.class);
		assertThat(stored()).containsExactly("inner stays", "a persisted", "inner stays");
	}

	@Test
	void aListenerThatJoinsTheTransactionIsHeard() {
		afterPersist = (account) -> template(TransactionDefinition.PROPAGATION_REQUIRED)
			.executeWithoutResult((joined) -> application.outbox().publish(new Changed("a", "joined")));
		inTransaction(() -> entities.persist(new Silent("a")));
		assertThat(stored()).containsExactly("a persisted", "a joined");
	}

	@Test
	void eventsOfOrdinaryListenersOfAnEventInTheFlushAreStored() {
		afterPersist = (account) -> application.context().publishEvent(new OrderPlaced("a", 1));
		inTransaction(() -> entities.persist(new Silent("a")));
		assertThat(stored()).hasSize(2);
	}

	@Test
	void anEntityThatACallbackOfSpringPersistsIsHeard() {
		inTransaction(() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void beforeCompletion() {
				entities.persist(new Silent("a"));
			}

		}));
		assertThat(stored()).containsExactly("a persisted");
	}

	@Test
	void eventsOfHibernatesOwnCallbacksBeforeTheCommitAreStored() {
		afterPersist = (account) -> {
			session().getTransactionCompletionCallbacks().registerCallback((session) -> publish("process"));
			session().getTransaction().registerSynchronization(new BeforeCompletion(() -> publish("late")));
		};
		inTransaction(() -> {
			session().getTransaction().registerSynchronization(new BeforeCompletion(() -> publish("early")));
			entities.persist(new Silent("a"));
		});
		assertThat(stored()).containsExactly("a persisted", "a process", "a early", "a late");
	}

	@Test
	void eventsOfHibernatesCallbacksAfterTheCommitAreRefused() {
		List<RuntimeException> refusals = new ArrayList<>();
		Runnable publish = () -> {
			try {
				publish("too late");
			}
			catch (OutboxPublicationException ex) {
				refusals.add(ex);
			}
		};
		inTransaction(() -> {
			session().getTransactionCompletionCallbacks().registerCallback((success, session) -> publish.run());
			session().getTransaction().registerSynchronization(new Synchronization() {

				@Override
				public void beforeCompletion() {
				}

				@Override
				public void afterCompletion(int status) {
					publish.run();
				}

			});
			entities.persist(new Silent("a"));
		});
		assertThat(refusals).hasSize(2)
			.allSatisfy((refusal) -> assertThat(refusal).hasMessageContaining("after its transaction"));
		assertThat(stored()).containsExactly("a persisted");
	}

	@Test
	void flushModeOfTheTransactionMakesNoDifference() {
		inTransaction(() -> {
			entities.setFlushMode(FlushModeType.COMMIT);
			entities.persist(new Silent("a"));
			assertThat(
					entities.createQuery("SELECT COUNT(a) FROM LastFlushTests$Account a", Long.class).getSingleResult())
				.isZero();
		});
		assertThat(stored()).containsExactly("a persisted");
	}

	@Test
	void whatASessionOnlyWritesWhenItIsToldToIsNotWrittenBecauseOfAnEvent() {
		inTransaction(() -> entities.persist(new Account("a")));
		inTransaction(() -> {
			session().setHibernateFlushMode(FlushMode.MANUAL);
			entities.find(Account.class, "a").balance = 7;
			publish("announced");
		});
		assertThat(balances()).containsExactly(0);
		assertThat(stored()).containsExactly("a before persist", "a persisted", "a announced");
	}

	@Test
	void whatASessionIsToldToWriteByHandIsHeard() {
		inTransaction(() -> {
			session().setHibernateFlushMode(FlushMode.MANUAL);
			publish("announced");
			Account account = new Account("a");
			entities.persist(account);
			entities.flush();
			account.balance = 7;
		});
		assertThat(balances()).containsExactly(0);
		assertThat(stored()).containsExactly("a announced", "a before persist", "a persisted");
	}

	@Test
	void theSessionOfTheTransactionManagerOfHibernateIsNotFlushedIfItIsOnlyToBeByHand() {
		inTransaction(() -> entities.persist(new Silent("a")));
		hibernateTransaction().executeWithoutResult((status) -> {
			Session session = hibernateSession();
			session.setHibernateFlushMode(FlushMode.MANUAL);
			session.find(Account.class, "a").balance = 7;
			publish("announced");
		});
		assertThat(balances()).containsExactly(0);
		assertThat(stored()).containsExactly("a persisted", "a announced");
	}

	@Test
	void readOnlyTransactionsRefuse() {
		TransactionTemplate readOnly = template(TransactionDefinition.PROPAGATION_REQUIRED);
		readOnly.setReadOnly(true);
		assertThatThrownBy(() -> readOnly.executeWithoutResult((status) -> entities.persist(new Account("a"))))
			.hasStackTraceContaining("read-only transaction");
		assertThat(accounts()).isEmpty();
		assertThat(stored()).isEmpty();
	}

	@Test
	void anEntityManagerThatIsOpenForLongerThanItsTransactionIsFollowed() {
		EntityManager open = factory().createEntityManager();
		TransactionSynchronizationManager.bindResource(factory(), new EntityManagerHolder(open));
		try {
			inTransaction(() -> entities.persist(new Silent("a")));
			inTransaction(() -> entities.persist(new Silent("b")));
		}
		finally {
			TransactionSynchronizationManager.unbindResource(factory());
			open.close();
		}
		assertThat(stored()).containsExactly("a persisted", "b persisted");
	}

	@Test
	void theTransactionManagerOfHibernateIsFollowed() {
		hibernateTransaction().executeWithoutResult((status) -> hibernateSession().persist(new Silent("a")));
		assertThat(stored()).containsExactly("a persisted");
	}

	private static TransactionTemplate hibernateTransaction() {
		HibernateTransactionManager manager = new HibernateTransactionManager(sessions());
		manager.setTransactionExecutionListeners(List.of(application.bean(OutboxTransactionListener.class)));
		manager.afterPropertiesSet();
		return new TransactionTemplate(manager);
	}

	private static Session hibernateSession() {
		return ((SessionHolder) TransactionSynchronizationManager.getResource(sessions())).getSession();
	}

	private static SessionFactory sessions() {
		return factory().unwrap(SessionFactory.class);
	}

	private static void publish(String what) {
		application.outbox().publish(new Changed("a", what));
	}

	private static SessionImplementor session() {
		return entities.unwrap(SessionImplementor.class);
	}

	private static EntityManagerFactory factory() {
		return application.bean(EntityManagerFactory.class);
	}

	private static void inTransaction(Runnable work) {
		application.transaction().executeWithoutResult((status) -> work.run());
	}

	private static TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		template.setPropagationBehavior(propagation);
		return template;
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await(60, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<String> accounts() {
		return application.jdbc().sql("SELECT id FROM jpa_account ORDER BY id").query(String.class).list();
	}

	private static List<Integer> balances() {
		return application.jdbc().sql("SELECT balance FROM jpa_account ORDER BY id").query(Integer.class).list();
	}

	private static List<String> stored() {
		return application.rows()
			.stream()
			.map(StoredRow::text)
			.map((text) -> text.replaceAll("\\{\"id\":\"(.*)\",\"what\":\"(.*)\"}", "$1 $2"))
			.collect(Collectors.toList());
	}

	record Changed(@PartitionKey String id, String what) {

	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = LastFlushTests.class)
	static class Entities {

	}

	private record BeforeCompletion(Runnable work) implements Synchronization {

		@Override
		public void beforeCompletion() {
			this.work.run();
		}

		@Override
		public void afterCompletion(int status) {
		}

	}

	@Entity
	@Table(name = "jpa_account")
	@EntityListeners(AccountListener.class)
	static class Account {

		@Id
		String id;

		String owner;

		int balance;

		protected Account() {
		}

		Account(String id) {
			this(id, id);
		}

		Account(String id, String owner) {
			this.id = id;
			this.owner = owner;
		}

	}

	/**
	 * Is published when it was persisted only.
	 */
	@Entity
	static class Silent extends Account {

		protected Silent() {
		}

		Silent(String id) {
			super(id);
		}

		Silent(String id, String owner) {
			super(id, owner);
		}

	}

	static class AccountListener {

		private final ApplicationEventPublisher publisher;

		AccountListener(ApplicationEventPublisher publisher) {
			this.publisher = publisher;
		}

		@PrePersist
		void beforePersist(Account account) {
			if (!(account instanceof Silent)) {
				publish(account, "before persist");
			}
		}

		@PostPersist
		void persisted(Account account) {
			publish(account, "persisted");
			afterPersist.accept(account);
		}

		@PreUpdate
		void beforeUpdate(Account account) {
			publish(account, "before update");
		}

		@PostUpdate
		void updated(Account account) {
			publish(account, "updated");
		}

		@PostRemove
		void removed(Account account) {
			publish(account, "removed");
		}

		private void publish(Account account, String what) {
			this.publisher.publishEvent(new Changed(account.owner, what));
		}

	}

}
