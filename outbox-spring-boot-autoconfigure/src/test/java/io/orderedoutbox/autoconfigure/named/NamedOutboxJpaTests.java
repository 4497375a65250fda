/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.Properties;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.autoconfigure.OutboxDataSource;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for an application with two persistence units, each on a DataSource with an
 * outbox, and with two outboxes on one of them.
 */
class NamedOutboxJpaTests {

	private static final String OUTBOX = "outbox_";

	private final Database shop = Servers.database().fresh();

	private final Database customers = Servers.database().fresh();

	@AfterEach
	void noCallback() {
		Parcel.afterPersist = () -> {
		};
		Customer.afterPersist = () -> {
		};
	}

	@Test
	void whatTheLastFlushOfEachUnitPublishesIsStoredInItsOutbox() {
		try (OutboxApplication application = application().start()) {
			Parcel.afterPersist = () -> application.context().publishEvent(new ParcelSent("p"));
			Customer.afterPersist = () -> application.context().publishEvent(new CustomerMoved("c"));
			transaction(application, "shop")
				.executeWithoutResult((status) -> entities(application, "shop").persist(new Parcel("p")));
			transaction(application, "customers")
				.executeWithoutResult((status) -> entities(application, "customers").persist(new Customer("c")));
			assertThat(depth("shop", OUTBOX)).isOne();
			assertThat(depth("customers", OUTBOX)).isOne();
		}
	}

	@Test
	void aTransactionOfOneUnitWithinOneOfTheOtherStoresWhatIsItsOwn() {
		try (OutboxApplication application = application().start()) {
			Parcel.afterPersist = () -> application.context().publishEvent(new ParcelSent("p"));
			Customer.afterPersist = () -> application.context().publishEvent(new CustomerMoved("c"));
			transaction(application, "customers").executeWithoutResult((outer) -> {
				entities(application, "customers").persist(new Customer("c"));
				transaction(application, "shop")
					.executeWithoutResult((status) -> entities(application, "shop").persist(new Parcel("p")));
				assertThat(depth("shop", OUTBOX)).isOne();
				assertThat(depth("customers", OUTBOX)).isZero();
			});
			assertThat(depth("customers", OUTBOX)).isOne();
			assertThat(depth("shop", OUTBOX)).isOne();
		}
	}

	@Test
	void aRollbackOfOneUnitLeavesTheOther() {
		try (OutboxApplication application = application().start()) {
			transaction(application, "customers").executeWithoutResult((outer) -> {
				entities(application, "customers").persist(new Customer("c"));
				application.context().publishEvent(new CustomerMoved("c"));
				assertThatIllegalStateException()
					.isThrownBy(() -> transaction(application, "shop").executeWithoutResult((status) -> {
						entities(application, "shop").persist(new Parcel("p"));
						application.context().publishEvent(new ParcelSent("p"));
						throw new IllegalStateException("as the test wants it");
					}));
			});
			assertThat(depth("shop", OUTBOX)).isZero();
			assertThat(depth("customers", OUTBOX)).isOne();
		}
	}

	@Test
	void oneUnitWithTwoOutboxesStoresInBothWhatItsLastFlushPublishes() {
		try (OutboxApplication application = application().with("outbox.named.billing.jdbc.initialize-schema", "always")
			.with("outbox.named.billing.jdbc.table-prefix", "billing_")
			.with("outbox.named.billing.relay.mode", "off")
			.start()) {
			Parcel.afterPersist = () -> {
				application.context().publishEvent(new ParcelSent("p"));
				application.context().publishEvent(new ParcelPaid("p"));
			};
			transaction(application, "shop")
				.executeWithoutResult((status) -> entities(application, "shop").persist(new Parcel("p")));
			assertThat(depth("shop", OUTBOX)).isOne();
			assertThat(depth("shop", "billing_")).isOne();
			transaction(application, "shop").executeWithoutResult((status) -> {
				entities(application, "shop").persist(new Parcel("q"));
				application.context().publishEvent(new ParcelPaid("q"));
				status.setRollbackOnly();
			});
			assertThat(depth("shop", OUTBOX)).isOne();
			assertThat(depth("shop", "billing_")).isOne();
		}
	}

	private Builder application() {
		Builder application = OutboxApplication.on(this.shop)
			.with(TwoUnits.class)
			.withoutRelay()
			.with("test.customers", this.customers.jdbcUrl())
			.with("outbox.named.customers.data-source", "customersDataSource")
			.with("outbox.named.customers.ordered", true)
			.with("outbox.named.customers.jdbc.initialize-schema", "always")
			.with("outbox.named.customers.relay.mode", "off");
		return Servers.database().platform().equals("mariadb")
				? application.with("test.dialect", "org.hibernate.dialect.MariaDBDialect") : application;
	}

	private static TransactionTemplate transaction(OutboxApplication application, String unit) {
		return new TransactionTemplate(
				application.context().getBean(unit + "Transactions", PlatformTransactionManager.class));
	}

	private static EntityManager entities(OutboxApplication application, String unit) {
		return SharedEntityManagerCreator
			.createSharedEntityManager(application.context().getBean(unit + "Entities", EntityManagerFactory.class));
	}

	// Outside of the transaction that the test may be in
	private long depth(String unit, String prefix) {
		Database database = unit.equals("shop") ? this.shop : this.customers;
		return JdbcClient
			.create(new DriverManagerDataSource(database.jdbcUrl(), database.username(), database.password()))
			.sql("SELECT COUNT(*) FROM " + prefix + "message")
			.query(Long.class)
			.single();
	}

	@OutboxMessage("parcel.sent")
	record ParcelSent(@PartitionKey String parcel) {

	}

	@OutboxMessage(value = "parcel.paid", outbox = "billing")
	record ParcelPaid(@PartitionKey String parcel) {

	}

	@OutboxMessage(value = "customer.moved", outbox = "customers")
	record CustomerMoved(@PartitionKey String customer) {

	}

	@Entity
	@Table(name = "jpa_named_parcel")
	static class Parcel {

		private static Runnable afterPersist = () -> {
		};

		@Id
		private String id;

		protected Parcel() {
		}

		Parcel(String id) {
			this.id = id;
		}

		@PostPersist
		void persisted() {
			afterPersist.run();
		}

	}

	@Entity
	@Table(name = "jpa_named_customer")
	static class Customer {

		private static Runnable afterPersist = () -> {
		};

		@Id
		private String id;

		protected Customer() {
		}

		Customer(String id) {
			this.id = id;
		}

		@PostPersist
		void persisted() {
			afterPersist.run();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoUnits {

		@Bean
		@OutboxDataSource
		HikariDataSource shopDataSource(Environment environment) {
			return Pools.of(environment, "spring.datasource.url");
		}

		@Bean
		@Primary
		HikariDataSource customersDataSource(Environment environment) {
			return Pools.of(environment, "test.customers");
		}

		@Bean
		LocalContainerEntityManagerFactoryBean shopEntities(@Qualifier("shopDataSource") DataSource dataSource,
				Environment environment) {
			return unit("shop", dataSource, Parcel.class, environment);
		}

		@Bean
		LocalContainerEntityManagerFactoryBean customersEntities(
				@Qualifier("customersDataSource") DataSource dataSource, Environment environment) {
			return unit("customers", dataSource, Customer.class, environment);
		}

		@Bean
		JpaTransactionManager shopTransactions(@Qualifier("shopEntities") EntityManagerFactory entities) {
			return new JpaTransactionManager(entities);
		}

		@Bean
		@Primary
		JpaTransactionManager customersTransactions(@Qualifier("customersEntities") EntityManagerFactory entities) {
			return new JpaTransactionManager(entities);
		}

		private static LocalContainerEntityManagerFactoryBean unit(String name, DataSource dataSource, Class<?> entity,
				Environment environment) {
			LocalContainerEntityManagerFactoryBean unit = new LocalContainerEntityManagerFactoryBean();
			unit.setPersistenceUnitName(name);
			unit.setDataSource(dataSource);
			unit.setManagedTypes(PersistenceManagedTypes.of(entity.getName()));
			unit.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
			Properties properties = new Properties();
			properties.put("hibernate.hbm2ddl.auto", "create");
			String dialect = environment.getProperty("test.dialect");
			if (dialect != null) {
				properties.put("hibernate.dialect", dialect);
			}
			unit.setJpaProperties(properties);
			return unit;
		}

	}

}
