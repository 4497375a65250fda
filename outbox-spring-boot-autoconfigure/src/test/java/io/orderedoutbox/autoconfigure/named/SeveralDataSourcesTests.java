/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.autoconfigure.OutboxDataSource;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for an application with two DataSources, each with a transaction manager.
 */
class SeveralDataSourcesTests {

	private final Database customers = Servers.database().fresh();

	private final Database shop = Servers.database().fresh();

	private final TestQueue queue = TestQueue.forEverything();

	@AfterEach
	void close() {
		this.queue.close();
	}

	@Test
	void theOutboxIsOnTheOneThatIsMarkedAndNotOnThePrimaryOne() {
		try (OutboxApplication application = application(MarkedBesidePrimary.class).start()) {
			transaction(application, "shopTransactions")
				.executeWithoutResult((status) -> application.context().publishEvent(new OrderPlaced("a", 1)));
			this.queue.await(1);
			assertThat(application.bean(OutboxDatabase.class).dataSource())
				.isSameAs(application.context().getBean("shopDataSource"));
		}
	}

	@Test
	void aTransactionOnTheOtherOneIsRefused() {
		try (OutboxApplication application = application(MarkedBesidePrimary.class).withoutRelay().start()) {
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> transaction(application, "customerTransactions")
					.executeWithoutResult((status) -> application.context().publishEvent(new OrderPlaced("a", 1))))
				.withMessageContaining("cannot join")
				.withMessageContaining("works on the DataSource of the outbox");
		}
	}

	@Test
	void aTransactionWithinOneOnTheOtherStoresWhenItCommitsItself() {
		try (OutboxApplication application = application(MarkedBesidePrimary.class).withoutRelay().start()) {
			transaction(application, "customerTransactions").executeWithoutResult((outer) -> {
				transaction(application, "shopTransactions")
					.executeWithoutResult((status) -> application.context().publishEvent(new OrderPlaced("a", 1)));
				assertThat(depth(application, "shopDataSource", "outbox_")).isOne();
				outer.setRollbackOnly();
			});
			assertThat(depth(application, "shopDataSource", "outbox_")).isOne();
		}
	}

	@Test
	void eachHasAnOutboxAndAnEventGoesToThatOfItsTransaction() {
		try (OutboxApplication application = application(MarkedBesidePrimary.class).with("outbox.enabled", false)
			.with("outbox.named.customers.data-source", "customerDataSource")
			.with("outbox.named.customers.jdbc.initialize-schema", "always")
			.with("outbox.named.customers.rabbit.exchange", this.queue.exchange())
			.with("outbox.named.shop.jdbc.initialize-schema", "always")
			.with("outbox.named.shop.rabbit.exchange", this.queue.exchange())
			.with("outbox.named.customers.relay.mode", "off")
			.with("outbox.named.shop.relay.mode", "off")
			.start()) {
			transaction(application, "shopTransactions")
				.executeWithoutResult((status) -> application.context().publishEvent(new OrderPlaced("a", 1)));
			transaction(application, "customerTransactions").executeWithoutResult((outer) -> {
				application.context().publishEvent(new OrderPlaced("b", 1));
				transaction(application, "shopTransactions")
					.executeWithoutResult((status) -> application.context().publishEvent(new OrderPlaced("a", 2)));
				application.context().publishEvent(new OrderPlaced("b", 2));
			});
			assertThat(depth(application, "shopDataSource", "outbox_")).isEqualTo(2);
			assertThat(depth(application, "customerDataSource", "outbox_")).isEqualTo(2);
		}
	}

	@Test
	void aTransactionOnAnotherDataSourceThanThatOfTheNamedOutboxIsRefusedByItsName() {
		try (OutboxApplication application = application(MarkedBesidePrimary.class).withoutRelay()
			.with("outbox.named.customers.data-source", "customerDataSource")
			.with("outbox.named.customers.jdbc.initialize-schema", "always")
			.with("outbox.named.customers.relay.mode", "off")
			.start()) {
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> transaction(application, "shopTransactions")
					.executeWithoutResult((status) -> application.context().publishEvent(new CustomerMoved(1))))
				.withMessageContaining("the outbox 'customers' cannot join");
			transaction(application, "customerTransactions")
				.executeWithoutResult((status) -> application.context().publishEvent(new CustomerMoved(1)));
			assertThat(depth(application, "customerDataSource", "outbox_")).isOne();
		}
	}

	@Test
	void aNamedOutboxHasAPoolOfItsRelay() {
		try (OutboxApplication application = application(PoolOfRelay.class).with("outbox.enabled", false)
			.with("outbox.named.shop.relay-data-source", "poolOfRelay")
			.with("outbox.named.shop.jdbc.initialize-schema", "always")
			.with("outbox.named.shop.rabbit.exchange", this.queue.exchange())
			.with("outbox.named.customers.data-source", "customerDataSource")
			.with("outbox.named.customers.relay.pool-size", 4)
			.with("outbox.named.customers.jdbc.initialize-schema", "always")
			.start()) {
			transaction(application, "shopTransactions")
				.executeWithoutResult((status) -> application.context().publishEvent(new OrderPlaced("a", 1)));
			this.queue.await(1);
			HikariDataSource given = application.context().getBean("poolOfRelay", HikariDataSource.class);
			assertThat(given.getHikariPoolMXBean().getTotalConnections()).isPositive();
			assertThat(database(application, "shop").background().dataSource()).isSameAs(given);
			assertThat(database(application, "customers").background().dataSource())
				.isInstanceOfSatisfying(HikariDataSource.class, (own) -> {
					assertThat(own.getPoolName()).isEqualTo("outbox-customers-relay");
					assertThat(own.getMaximumPoolSize()).isEqualTo(4);
				});
			application.context().getBean("orderedOutboxNamed.shop", NamedOutbox.class).destroy();
			assertThat(given.isClosed()).as("it is the application's").isFalse();
		}
	}

	private static OutboxDatabase database(OutboxApplication application, String outbox) {
		return application.context()
			.getBean("orderedOutboxNamed." + outbox, NamedOutbox.class)
			.beans()
			.getBean(OutboxDatabase.class);
	}

	private Builder application(Class<?> configuration) {
		return OutboxApplication.on(this.shop)
			.sendingTo(this.queue)
			.with(configuration)
			.with("test.customers", this.customers.jdbcUrl());
	}

	private static TransactionTemplate transaction(OutboxApplication application, String bean) {
		return new TransactionTemplate(application.context().getBean(bean, PlatformTransactionManager.class));
	}

	private static long depth(OutboxApplication application, String dataSource, String prefix) {
		return JdbcClient.create(application.context().getBean(dataSource, DataSource.class))
			.sql("SELECT COUNT(*) FROM " + prefix + "message")
			.query(Long.class)
			.single();
	}

	@OutboxMessage(value = "customer.moved", outbox = "customers", ordered = false)
	record CustomerMoved(int number) {

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedBesidePrimary {

		@Bean
		@Primary
		HikariDataSource customerDataSource(Environment environment) {
			return Pools.of(environment, "test.customers");
		}

		@Bean
		@OutboxDataSource
		HikariDataSource shopDataSource(Environment environment) {
			return Pools.of(environment, "spring.datasource.url");
		}

		@Bean
		@Primary
		JdbcTransactionManager customerTransactions(@Qualifier("customerDataSource") DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

		@Bean
		JdbcTransactionManager shopTransactions(@Qualifier("shopDataSource") DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PoolOfRelay extends MarkedBesidePrimary {

		@Bean(defaultCandidate = false)
		HikariDataSource poolOfRelay(Environment environment) {
			return Pools.of(environment, "spring.datasource.url");
		}

	}

}
