/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.OutboxStoreException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.LockWait;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.testing.StoredRow;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Table;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.hibernate.proxy.HibernateProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The same promises with Hibernate, which writes when it likes.
 */
@Timeout(120)
class JpaTransactionTests {

	@AutoClose
	private static OutboxApplication application;

	private static EntityManager entities;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withJpa()
			.withoutRelay()
			.withSqlLog()
			.withJdbcOption("sessionVariables", "innodb_lock_wait_timeout=15")
			.with("spring.jpa.hibernate.ddl-auto", "create")
			.with(Entities.class)
			.start();
		entities = SharedEntityManagerCreator.createSharedEntityManager(application.bean(EntityManagerFactory.class));
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM jpa_order").update();
		application.jdbc().sql("DELETE FROM jpa_parcel").update();
		application.jdbc().sql("DELETE FROM jpa_vehicle").update();
		application.jdbc().sql("DELETE FROM outbox_message").update();
	}

	@AfterEach
	void noCallback() {
		Order.afterPersist = () -> {
		};
	}

	@Test
	void managerIsThatOfJpa() {
		assertThat(application.bean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
	}

	@Test
	void commitStoresBothAndRollbackNeither() {
		application.transaction().executeWithoutResult((status) -> place("a"));
		application.transaction().executeWithoutResult((status) -> {
			place("b");
			status.setRollbackOnly();
		});
		assertThat(orders()).containsExactly("a");
		assertThat(stored()).containsExactly("a");
	}

	@Test
	void entityThatIsNotLoadedYetIsPublishedWithItsOwnKeyAndName() {
		application.transaction().executeWithoutResult((status) -> entities.persist(new Parcel("p")));
		application.transaction().executeWithoutResult((status) -> {
			Parcel proxy = entities.getReference(Parcel.class, "p");
			assertThat(proxy).isInstanceOf(HibernateProxy.class);
			application.context().publishEvent(proxy);
		});
		assertThat(application.rows()).singleElement().satisfies((row) -> {
			assertThat(row.partitionKey()).isEqualTo("p");
			assertThat(row.name()).isEqualTo("parcel");
			assertThat(row.text()).isEqualTo("{\"id\":\"p\"}");
		});
	}

	@Test
	void entityThatIsNotLoadedYetIsAMessageIfItsOwnClassSaysSo() {
		application.transaction().executeWithoutResult((status) -> {
			entities.persist(new Truck("t"));
			entities.persist(new Vehicle("v"));
		});
		application.transaction().executeWithoutResult((status) -> {
			for (String id : List.of("t", "v")) {
				Vehicle proxy = entities.getReference(Vehicle.class, id);
				assertThat(proxy).isInstanceOf(HibernateProxy.class).isNotInstanceOf(Truck.class);
				application.context().publishEvent(proxy);
			}
		});
		assertThat(application.rows()).singleElement().satisfies((row) -> {
			assertThat(row.partitionKey()).isEqualTo("t");
			assertThat(row.name()).isEqualTo("truck.changed");
		});
	}

	@Test
	void whatHibernateAddsToAProxyInsideAnEventIsNotSent() {
		application.transaction().executeWithoutResult((status) -> entities.persist(new Vehicle("v")));
		application.transaction().executeWithoutResult((status) -> {
			Vehicle proxy = entities.getReference(Vehicle.class, "v");
			assertThat(proxy).isInstanceOf(HibernateProxy.class);
			application.context().publishEvent(new VehicleSold("s", proxy));
		});
		assertThat(application.rows()).extracting(StoredRow::text)
			.containsExactly("{\"id\":\"s\",\"vehicle\":{\"id\":\"v\"}}");
	}

	@Test
	void entityThatCannotBeLoadedAndSaysNothingOfTheOutboxIsNoneOfItsBusiness() {
		Vehicle proxy = application.transaction().execute((status) -> entities.getReference(Vehicle.class, "nowhere"));
		application.transaction().executeWithoutResult((status) -> application.context().publishEvent(proxy));
		assertThat(application.depth()).isZero();
	}

	@Test
	void entityThatCannotBeLoadedIsRefused() {
		application.transaction().executeWithoutResult((status) -> {
			Parcel proxy = entities.getReference(Parcel.class, "nowhere");
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> application.outbox().publish(proxy))
				.withMessageContaining(Parcel.class.getName())
				.withMessageContaining("cannot be loaded");
			status.setRollbackOnly();
		});
	}

	@Test
	void entityThatIsNotLoadedYetIsNoKey() {
		application.transaction().executeWithoutResult((status) -> entities.persist(new Parcel("q")));
		application.transaction().executeWithoutResult((status) -> {
			Parcel proxy = entities.getReference(Parcel.class, "q");
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> application.outbox().publish(new ParcelSent(proxy)))
				.withMessageContaining("proxy")
				.withMessageContaining("its id");
		});
	}

	@Test
	void whatCanOnlyBeRolledBackTakesNoStripeAndWritesNothing() {
		List<String> statements = SqlLog
			.of(() -> assertThatThrownBy(() -> application.transaction().executeWithoutResult((outer) -> {
				application.outbox().publish(new OrderPlaced("a", 1));
				assertThatIllegalStateException().isThrownBy(
						() -> template(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult((inner) -> {
							application.outbox().publish(new OrderPlaced("b", 1));
							throw new IllegalStateException("as the test wants it");
						}));
				application.outbox().publish(new OrderPlaced("c", 1));
			})).isInstanceOf(TransactionException.class));
		assertThat(statements).noneMatch((statement) -> statement.contains("outbox_"));
		assertThat(stored()).isEmpty();
	}

	// On PostgreSQL every further statement would fail and hide what has happened
	@Test
	void aStatementThatFailedInsideIsReportedAsWithoutTheOutbox() {
		Class<?> without = failureOf(() -> {
		});
		List<Integer> completions = new ArrayList<>();
		Class<?> with = failureOf(() -> {
			application.outbox().publish(new OrderPlaced("a", 1));
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int status) {
					completions.add(status);
				}
			});
		});
		assertThat(with).isEqualTo(without).isNotEqualTo(OutboxStoreException.class);
		assertThat(completions).singleElement().isNotEqualTo(TransactionSynchronization.STATUS_COMMITTED);
		assertThat(stored()).isEmpty();
		application.transaction().executeWithoutResult((status) -> place("next"));
		assertThat(stored()).containsExactly("next");
	}

	private static Class<?> failureOf(Runnable work) {
		return Assertions.catchThrowable(() -> application.transaction().executeWithoutResult((outer) -> {
			work.run();
			assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> template(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(
						(inner) -> application.jdbc().sql("INSERT INTO jpa_order (id) VALUES (NULL)").update()));
		})).getClass();
	}

	@Test
	void requiresNewKeepsItsOwn() {
		application.transaction().executeWithoutResult((outer) -> {
			place("outer");
			template(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult((inner) -> place("inner"));
			outer.setRollbackOnly();
		});
		assertThat(orders()).containsExactly("inner");
		assertThat(stored()).containsExactly("inner");
	}

	@Test
	void persistenceContextIsFlushedBeforeTheStripes() {
		List<String> statements = SqlLog.of(() -> application.transaction().executeWithoutResult((status) -> {
			place("a");
			place("b");
		}));
		assertThat(statements.stream()
			.filter((statement) -> !statement.startsWith("set "))
			.map((statement) -> statement.replaceAll("/\\*.*?\\*/ ", "")
				.replaceAll("(?s)^(insert into \\w+|select s\\.id|\\w+).*", "$1")))
			.containsExactly("insert into jpa_order", "insert into jpa_order", "select s.id",
					"insert into outbox_message", "commit");
	}

	@Test
	void entityThatCannotBeWrittenTakesTheEventWithIt() {
		application.transaction().executeWithoutResult((status) -> place("a"));
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
				entities.persist(new Order("b", "text of a"));
				application.outbox().publish(new OrderPlaced("b", 1));
			}));
		assertThat(orders()).containsExactly("a");
		assertThat(stored()).containsExactly("a");
	}

	@Test
	void timeoutThatExpiresAtTheFlushRollsBack() {
		TransactionTemplate template = template(TransactionDefinition.PROPAGATION_REQUIRED);
		template.setTimeout(1);
		assertThatThrownBy(() -> template.executeWithoutResult((status) -> {
			place("a");
			entities.flush();
			awaitDeadline();
		})).isInstanceOf(RuntimeException.class);
		assertThat(orders()).as("business data without its event").isEmpty();
		assertThat(stored()).isEmpty();
	}

	@Test
	void transactionExceptionOfACallbackBeforeTheCommitRollsBack() {
		assertThatExceptionOfType(TransactionException.class)
			.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
				place("a");
				entities.flush();
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void beforeCommit(boolean readOnly) {
						throw new TransactionTimedOutException("in a callback");
					}

				});
			}));
		assertThat(orders()).as("business data without its event").isEmpty();
		assertThat(stored()).isEmpty();
		application.transaction().executeWithoutResult((status) -> place("b"));
		assertThat(stored()).containsExactly("b");
	}

	@Test
	void eventOfAnEntityCallbackDuringTheFlushIsStored() {
		Order.afterPersist = () -> application.outbox().publish(new OrderPlaced("callback", 1));
		application.transaction().executeWithoutResult((status) -> place("a"));
		assertThat(stored()).containsExactly("a", "callback");
	}

	@Test
	void entityRowAndStripeInOppositeOrderDoNotDeadlock() throws Exception {
		application.transaction().executeWithoutResult((status) -> entities.persist(new Order("shared", "text")));
		CountDownLatch rowIsLocked = new CountDownLatch(1);
		CompletableFuture<Void> early = CompletableFuture
			.runAsync(() -> application.transaction().executeWithoutResult((status) -> {
				entities.find(Order.class, "shared").text = "flushed early";
				entities.flush();
				application.outbox().publish(new OrderPlaced("shared", 1));
				rowIsLocked.countDown();
				LockWait.await(application.jdbc());
			}), OWN_THREAD);
		assertThat(rowIsLocked.await(20, TimeUnit.SECONDS)).isTrue();
		application.transaction().executeWithoutResult((status) -> {
			entities.find(Order.class, "shared").text = "flushed at the commit";
			application.outbox().publish(new OrderPlaced("shared", 2));
		});
		early.get(20, TimeUnit.SECONDS);
		assertThat(application.rows()).extracting(StoredRow::text)
			.containsExactly("{\"orderId\":\"shared\",\"version\":1}", "{\"orderId\":\"shared\",\"version\":2}");
	}

	private static void place(String id) {
		entities.persist(new Order(id, "text of " + id));
		application.outbox().publish(new OrderPlaced(id, 1));
	}

	private static List<String> orders() {
		return application.jdbc().sql("SELECT id FROM jpa_order ORDER BY id").query(String.class).list();
	}

	private static List<String> stored() {
		return application.rows().stream().map(StoredRow::partitionKey).toList();
	}

	private static TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		template.setPropagationBehavior(propagation);
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

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = JpaTransactionTests.class)
	static class Entities {

	}

	@Entity
	@Table(name = "jpa_order")
	static class Order {

		private static Runnable afterPersist = () -> {
		};

		@Id
		private String id;

		@Column(unique = true)
		private String text;

		protected Order() {
		}

		Order(String id, String text) {
			this.id = id;
			this.text = text;
		}

		@PostPersist
		void persisted() {
			afterPersist.run();
		}

	}

	@Entity
	@Table(name = "jpa_parcel")
	static class Parcel {

		@Id
		@PartitionKey
		@JsonProperty
		private String id;

		protected Parcel() {
		}

		Parcel(String id) {
			this.id = id;
		}

		@Override
		public String toString() {
			return "parcel " + this.id;
		}

	}

	@Entity
	@Table(name = "jpa_vehicle")
	static class Vehicle {

		@Id
		private String id;

		protected Vehicle() {
		}

		Vehicle(String id) {
			this.id = id;
		}

		public String getId() {
			return this.id;
		}

	}

	@Entity
	@OutboxMessage("truck.changed")
	@PartitionKey("id")
	static class Truck extends Vehicle {

		protected Truck() {
		}

		Truck(String id) {
			super(id);
		}

	}

	record VehicleSold(@PartitionKey String id, Vehicle vehicle) {

	}

	record ParcelSent(@PartitionKey Parcel parcel) {

	}

}
