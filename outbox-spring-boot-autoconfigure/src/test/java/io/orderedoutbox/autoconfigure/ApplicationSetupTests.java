/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import javax.sql.DataSource;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whole applications that are set up in other ways than the ordinary one. In each, what
 * is published arrives, in order.
 */
class ApplicationSetupTests {

	private final Database database = Servers.database().fresh();

	@Test
	void withAnotherTablePrefix() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(this.database)
					.sendingTo(queue)
					.with("outbox.jdbc.table-prefix", "Shop_outbox_")
					.start()) {
			publishAndAwait(application, queue);
			assertThat(application.jdbc()
				.sql("SELECT LOWER(table_name) FROM information_schema.tables WHERE table_schema = DATABASE()")
				.query(String.class)
				.list()).containsExactlyInAnyOrder("shop_outbox_message", "shop_outbox_parked", "shop_outbox_partition",
						"shop_outbox_dead_letter", "shop_outbox_stripe", "shop_outbox_instance", "shop_outbox_worker",
						"shop_outbox_throughput", "shop_outbox_pause", "shop_outbox_archive", "shop_outbox_audit");
		}
	}

	@Test
	void withLazyInitialization() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(this.database)
					.sendingTo(queue)
					.with("spring.main.lazy-initialization", "true")
					.start()) {
			publishAndAwait(application, queue);
		}
	}

	@Test
	void withLazyInitializationOnAnInstanceThatOnlyWrites() {
		try (OutboxApplication application = OutboxApplication.on(this.database)
			.withoutRelay()
			.with("spring.main.lazy-initialization", "true")
			.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2));
			application.awaitDepth(2);
		}
	}

	@Test
	void withAPoolThatDoesNotCommitByItself() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(this.database)
					.sendingTo(queue)
					.with("spring.datasource.hikari.auto-commit", "false")
					.start()) {
			publishAndAwait(application, queue);
		}
	}

	@Test
	void withAPoolOfOneConnection() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(this.database)
					.sendingTo(queue)
					.with("spring.datasource.hikari.maximum-pool-size", "1")
					.start()) {
			publishAndAwait(application, queue);
		}
	}

	@Test
	void withAPoolOfTheRelaysOwnTheRelayNeedsNoneOfTheApplicationsConnections() throws SQLException {
		relaysWhileTheApplicationHasNoConnectionLeft(
				OutboxApplication.on(this.database).with("outbox.relay.pool-size", "3"));
	}

	@Test
	void withADataSourceOfTheRelaysOwnTheRelayNeedsNoneOfTheApplicationsConnections() throws SQLException {
		relaysWhileTheApplicationHasNoConnectionLeft(OutboxApplication.on(this.database).with(RelayDatabase.class));
	}

	private void relaysWhileTheApplicationHasNoConnectionLeft(OutboxApplication.Builder builder) throws SQLException {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication writer = OutboxApplication.on(this.database).sendingTo(queue).withoutRelay().start();
				OutboxApplication application = builder.sendingTo(queue)
					.with("spring.datasource.hikari.maximum-pool-size", "1")
					.start();
				Connection only = application.bean(DataSource.class).getConnection()) {
			publishAndAwait(writer, queue);
			writer.awaitEmpty();
			assertThat(only.isValid(1)).isTrue();
		}
	}

	@Test
	void withoutProxiesByAspectJ() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(this.database)
					.sendingTo(queue)
					.with("spring.aop.auto", "false")
					.start()) {
			publishAndAwait(application, queue);
		}
	}

	@Test
	void withExchangesDeclaredByTheApplicationThatItselfNeverConnects() {
		try (TestQueue queue = TestQueue.forEverything()) {
			String name = queue.exchange() + "-declared";
			try (OutboxApplication application = OutboxApplication.on(this.database)
				.with("outbox.rabbit.exchange", name)
				.with("test.exchange", name)
				.with(Declarations.class)
				.start()) {
				application.publish(new OrderPlaced("a", 1));
				application.awaitEmpty();
				assertThat(messages(queue, name)).isOne();
			}
			finally {
				delete(queue, name);
			}
		}
	}

	@Test
	void withTwoDataSourcesAndTheOutboxOnTheSecond() {
		Database other = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(this.database)
					.sendingTo(queue)
					.with("test.second-url", other.jdbcUrl())
					.with(TwoDatabases.class)
					.start()) {
			Outbox outbox = application.outbox();
			TransactionTemplate second = new TransactionTemplate(
					application.context().getBean("secondTransactions", PlatformTransactionManager.class));
			second.executeWithoutResult((status) -> outbox.publish(new OrderPlaced("a", 1)));
			queue.await(1);
			assertThat(tables(application, "second")).contains("outbox_message");
			assertThat(tables(application, "first")).isEmpty();
			assertThatExceptionOfType(OutboxPublicationException.class).isThrownBy(() -> application.transaction()
				.executeWithoutResult((status) -> outbox.publish(new OrderPlaced("a", 2))));
		}
	}

	private static void publishAndAwait(OutboxApplication application, TestQueue queue) {
		for (int version = 1; version <= 5; version++) {
			application.publish(new OrderPlaced("a", version), new OrderPlaced("b", version));
		}
		assertThat(queue.await(10)).extracting(TestQueue.Arrival::text)
			.filteredOn((text) -> text.contains("\"a\""))
			.hasSize(5)
			.isSorted();
	}

	private static List<String> tables(OutboxApplication application, String dataSource) {
		return new JdbcTemplate(application.context().getBean(dataSource, DataSource.class)).queryForList(
				"SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()", String.class);
	}

	private static long messages(TestQueue queue, String name) {
		try {
			return queue.channel().messageCount(name);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void delete(TestQueue queue, String name) {
		try {
			queue.channel().queueDelete(name);
			queue.channel().exchangeDelete(name);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class RelayDatabase {

		@Bean(defaultCandidate = false)
		@OutboxRelayDataSource
		DataSource relayDataSource(DataSourceProperties properties) {
			return properties.initializeDataSourceBuilder().build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Declarations {

		@Bean
		Declarables declarations(@Value("${test.exchange}") String name) {
			TopicExchange exchange = new TopicExchange(name);
			Queue queue = new Queue(name);
			return new Declarables(exchange, queue, BindingBuilder.bind(queue).to(exchange).with("#"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDatabases {

		@Bean
		@Primary
		DataSource first(@Value("${spring.datasource.url}") String url,
				@Value("${spring.datasource.username}") String username,
				@Value("${spring.datasource.password}") String password) {
			return DataSourceBuilder.create().url(url).username(username).password(password).build();
		}

		@Bean
		@OutboxDataSource
		DataSource second(@Value("${test.second-url}") String url,
				@Value("${spring.datasource.username}") String username,
				@Value("${spring.datasource.password}") String password) {
			return DataSourceBuilder.create().url(url).username(username).password(password).build();
		}

		@Bean
		@Primary
		JdbcTransactionManager firstTransactions(DataSource first) {
			return new JdbcTransactionManager(first);
		}

		@Bean
		JdbcTransactionManager secondTransactions(@OutboxDataSource DataSource second) {
			return new JdbcTransactionManager(second);
		}

	}

}
