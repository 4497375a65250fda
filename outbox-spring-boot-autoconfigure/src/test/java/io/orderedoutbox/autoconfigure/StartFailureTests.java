/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.Map;

import javax.sql.DataSource;

import io.orderedoutbox.autoconfigure.relay.OutboxRabbitAutoConfiguration;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Partitioner;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.SimpleRoutingConnectionFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A wrong setup ends the start of an application with a report that says what to do, not
 * with a stack trace.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTests {

	private final Database database = Servers.database().fresh();

	private final OutboxApplication.Builder application = OutboxApplication.on(this.database);

	@Test
	void missingTables(CapturedOutput output) {
		this.application.with("outbox.jdbc.initialize-schema", "never");
		assertReport(output,
				"The tables of the outbox are missing or not as they should be: table 'outbox_message' is missing; table 'outbox_parked' is missing; table 'outbox_dead_letter' is missing; table 'outbox_partition' is missing; table 'outbox_stripe' is missing.",
				"Set outbox.jdbc.initialize-schema=always");
	}

	@Test
	void tablesWithAnotherPrefix(CapturedOutput output) {
		this.application.start().close();
		this.application.with("outbox.jdbc.initialize-schema", "never").with("outbox.jdbc.table-prefix", "shop_");
		assertReport(output, "table 'shop_partition' is missing; table 'shop_stripe' is missing",
				"outbox.jdbc.initialize-schema=always");
	}

	@Test
	void missingStripes(CapturedOutput output) {
		try (OutboxApplication before = this.application.start()) {
			before.jdbc().sql("DELETE FROM outbox_stripe WHERE id >= 60").update();
		}
		this.application.with("outbox.jdbc.initialize-schema", "never");
		assertReport(output, "Table 'outbox_stripe' has 60 rows, but outbox.partitions is 64.",
				"if rows were lost, insert the ids from 0 to 63 that are missing");
	}

	@Test
	void aPoolOfTheRelaysOwnWithoutOneToCopy(CapturedOutput output) {
		this.application.with("outbox.relay.pool-size", "3")
			.with("spring.datasource.type", DriverManagerDataSource.class.getName());
		assertReport(output, "the DataSource of the outbox is no HikariCP pool that could be copied",
				"declare a DataSource of the relay's own: @Bean(defaultCandidate = false) @OutboxRelayDataSource");
	}

	@ParameterizedTest
	@ValueSource(strings = { "always", "never" })
	void anotherNumberOfPartitions(String initialize, CapturedOutput output) {
		this.application.start().close();
		this.application.with("outbox.jdbc.initialize-schema", initialize).with("outbox.partitions", 128);
		assertReport(output, "Table 'outbox_partition' has 64 rows, but outbox.partitions is 128.",
				"Set outbox.partitions to the number of partitions that the outbox was made with");
		assertThat(output).contains("How to change the number of partitions: docs/schema.md");
	}

	@ParameterizedTest
	@ValueSource(strings = { "always", "never" })
	void tablesOfAnOlderVersion(String initialize, CapturedOutput output) {
		this.application.with("outbox.jdbc.schema", "classpath:io/orderedoutbox/jdbc/schema-1-@@platform@@.sql");
		assertThatException().isThrownBy(() -> this.application.start().close());
		this.application.with("outbox.jdbc.initialize-schema", initialize)
			.with("outbox.jdbc.schema", new OutboxJdbcProperties().getDefaultSchemaLocation());
		assertReport(output,
				"The tables of the outbox were made by an older version: 'outbox_message' has no column 'lane'.",
				"Stop all instances and migrate the tables with migration-1-to-2-");
		assertThat(output).contains("docs/migration.md");
	}

	@Test
	void twoPartitioners(CapturedOutput output) {
		this.application.with(TwoPartitioners.class);
		assertReport(output, "The outbox takes one Partitioner, but there are 2 such beans: one, two.", "@Primary");
	}

	@Test
	void badPrefix(CapturedOutput output) {
		this.application.with("outbox.jdbc.table-prefix", "x;");
		assertReport(output, "'outbox.jdbc.table-prefix' must be a letter followed by", "but is 'x;'");
	}

	@Test
	void scriptThatIsNotThere(CapturedOutput output) {
		this.application.with("outbox.jdbc.schema", "classpath:nowhere.sql");
		assertReport(output, "classpath:nowhere.sql", "Check outbox.jdbc.schema");
	}

	@Test
	void unreachableDatabaseInWhichTablesShouldBeCreated(CapturedOutput output) {
		this.application.with("spring.datasource.url", "jdbc:mysql://127.0.0.1:1/nowhere");
		assertReport(output, "the database jdbc:mysql://127.0.0.1:1/nowhere (user '",
				"outbox.jdbc.initialize-schema=never");
		assertThat(output).contains("cannot be reached: ConnectException");
	}

	@ParameterizedTest
	@ValueSource(strings = { "always", "never", "embedded" })
	void anotherDatabase(String initialize, CapturedOutput output) {
		this.application.with(AnotherDatabase.class)
			.with("outbox.jdbc.initialize-schema", initialize)
			.with("outbox.jdbc.platform", "mysql");
		assertReport(output, "The outbox does not work on HSQL Database Engine version '2.7.4'.",
				"Use MySQL 8.0.17 or newer, MariaDB 10.6 or newer");
	}

	@Test
	void noDataSource(CapturedOutput output) {
		exclude("org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
		assertReport(output, "The outbox needs a DataSource, but there is none", "spring.datasource.url");
	}

	@Test
	void noDatabaseConfigured(CapturedOutput output) {
		this.application.with("spring.datasource.url", "").hiding("org.h2");
		assertReport(output, "Failed to configure a DataSource", "url");
	}

	@Test
	void twoDataSourcesOfWhichNoneIsMarked(CapturedOutput output) {
		this.application.with(TwoDataSources.class);
		assertReport(output, "The outbox needs one DataSource, but there are 2", "@OutboxDataSource or @Primary");
	}

	@Test
	void aConnectionFactoryFromWhichNoneCanBeDerived(CapturedOutput output) {
		this.application.with(RoutingConnections.class);
		assertReport(output, "no single RabbitMQ connection factory",
				"declare a CachingConnectionFactory bean named outboxRabbitConnectionFactory");
	}

	@Test
	void nothingToSendWith(CapturedOutput output) {
		exclude(OutboxRabbitAutoConfiguration.class.getName());
		assertReport(output, "The outbox relay has nothing to send with",
				"spring-boot-starter-amqp, declare a MessageSender bean, or set outbox.relay.mode=off");
	}

	private void exclude(String autoConfiguration) {
		this.application.with("spring.autoconfigure.exclude[0]", autoConfiguration)
			.with("spring.autoconfigure.exclude[1]",
					"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
			.with("spring.autoconfigure.exclude[2]",
					"org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration")
			.withJpa();
	}

	private void assertReport(CapturedOutput output, String description, String action) {
		assertThatException().isThrownBy(() -> this.application.start().close());
		assertThat(output).contains("APPLICATION FAILED TO START");
		String report = output.getOut().substring(output.getOut().indexOf("APPLICATION FAILED TO START"));
		assertThat(report).contains("Description:", description, "Action:", action).doesNotContain("\tat ");
	}

	// Reports another name, and understands nothing else
	@Configuration(proxyBeanMethods = false)
	static class AnotherDatabase {

		@Bean
		DataSource anotherDatabase() {
			return new AbstractDataSource() {

				@Override
				public Connection getConnection() {
					return proxy(Connection.class, (method) -> switch (method) {
						case "getMetaData" -> proxy(DatabaseMetaData.class,
								(name) -> "getDatabaseProductName".equals(name) ? "HSQL Database Engine" : "2.7.4");
						case "close" -> "";
						default -> throw new IllegalStateException(method);
					});
				}

				@Override
				public Connection getConnection(String username, String password) {
					return getConnection();
				}

			};
		}

		private static <T> T proxy(Class<T> type, UnaryAnswer answer) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> {
						Object result = answer.to(method.getName());
						return (method.getReturnType() == void.class) ? null : result;
					}));
		}

		private interface UnaryAnswer {

			Object to(String method);

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		DataSource one() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

		@Bean
		DataSource two() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoPartitioners {

		@Bean
		Partitioner one() {
			return Partitions::crc32;
		}

		@Bean
		Partitioner two() {
			return Partitions::crc32;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RoutingConnections {

		@Bean
		ConnectionFactory byTenant() {
			SimpleRoutingConnectionFactory routing = new SimpleRoutingConnectionFactory();
			routing.setTargetConnectionFactories(Map.of("tenant", new CachingConnectionFactory("tenant")));
			routing.setDefaultTargetConnectionFactory(new CachingConnectionFactory("other"));
			return routing;
		}

	}

}
