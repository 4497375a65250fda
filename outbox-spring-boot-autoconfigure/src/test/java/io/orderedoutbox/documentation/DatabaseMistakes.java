/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.autoconfigure.OutboxDataSource;
import io.orderedoutbox.autoconfigure.OutboxRelayDataSource;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Mistakes with the DataSource, and with the tables.
 */
final class DatabaseMistakes {

	private static final String NO_DATA_SOURCE = "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
			+ OutboxApplication.JPA;

	private static final String NEVER = "outbox.jdbc.initialize-schema=never";

	static final List<Mistake> DATA_SOURCES = List.of(
			new Mistake("has no `DataSource`", (trial) -> trial.with(NO_DATA_SOURCE)),
			Mistake.beans("has two `DataSource` beans, of which none is marked", TwoDataSources.class),
			Mistake.beans("marks two `DataSource` beans with `@OutboxDataSource`", TwoMarked.class),
			Mistake.beans("marks two `DataSource` beans with `@OutboxRelayDataSource`", TwoOfTheRelay.class),
			Mistake.beans("marks a `DataSource` of another database with `@OutboxRelayDataSource`",
					OfAnotherDatabase.class),
			Mistake.beans("has a `DataSource` that routes to several databases", Routing.class),
			new Mistake("`outbox.relay.pool-size=3` with a `DataSource` that is no HikariCP pool",
					(trial) -> trial.with("outbox.relay.pool-size=3",
							"spring.datasource.type=" + DriverManagerDataSource.class.getName())),
			Mistake.beans("connects to a database that is none of ours", AnotherDatabase.class),
			new Mistake("connects to H2 with `MODE=Oracle`",
					(trial) -> trial.with("spring.datasource.url=jdbc:h2:mem:oracle;MODE=Oracle",
							"spring.datasource.username=sa", "spring.datasource.password=")),
			new Mistake("`outbox.jdbc.initialize-schema=always` while the database is away",
					(trial) -> trial.with("spring.datasource.url=jdbc:mysql://127.0.0.1:1/shop")),
			new Mistake("switches auto-commit off in the sessions of its pool",
					(trial) -> trial.with("spring.datasource.hikari.connection-init-sql=SET autocommit=0")));

	static final List<Mistake> TABLES = List.of(Mistake.properties(NEVER),
			new Mistake("`outbox.partitions=128` with tables for 64", (trial) -> {
				trial.afterStart();
				trial.with("outbox.partitions=128", NEVER);
			}), new Mistake("has lost rows of `outbox_stripe`", (trial) -> {
				trial.afterStart("DELETE FROM outbox_stripe WHERE id >= 60");
				trial.with(NEVER);
			}), new Mistake("has a table `outbox_message` of something else", (trial) -> {
				trial.with("outbox.jdbc.table-prefix=other_");
				trial.afterStart("CREATE TABLE outbox_message (id INT PRIMARY KEY)");
				trial.with("outbox.jdbc.table-prefix=outbox_");
			}), new Mistake("has tables that a newer version of the library has migrated", (trial) -> {
				trial.afterStart("ALTER TABLE outbox_message COMMENT = 'outbox schema 3'");
				trial.with(NEVER);
			}), new Mistake("has a column with another character set", (trial) -> {
				trial.afterStart(
						"ALTER TABLE outbox_message MODIFY COLUMN exchange VARCHAR(255) CHARACTER SET latin1 NOT NULL");
				trial.with(NEVER);
			}), new Mistake("has keys in a collation in which different ones are equal", (trial) -> {
				trial.afterStart(
						"ALTER TABLE outbox_message MODIFY COLUMN partition_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci");
				trial.with(NEVER);
			}), new Mistake("`outbox.archive.enabled=true` without the table of the archive", (trial) -> {
				trial.afterStart("DROP TABLE outbox_archive");
				trial.with("outbox.archive.enabled=true", NEVER);
			}), new Mistake("`outbox.ordered=false` while another instance has `true`", (trial) -> {
				OutboxApplication other = trial.application().start();
				trial.atEnd(other::close);
				trial.with("outbox.ordered=false");
			}), Mistake.properties("outbox.jdbc.schema=classpath:nowhere.sql"),
			Mistake.properties("outbox.jdbc.platform=oracle"));

	private DatabaseMistakes() {
	}

	private static DataSource fresh() {
		Database database = Servers.database().fresh();
		return new DriverManagerDataSource(database.jdbcUrl(), database.username(), database.password());
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		DataSource ofTheShop() {
			return new HikariDataSource();
		}

		@Bean
		DataSource ofTheReports() {
			return new HikariDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoMarked {

		@Bean
		@OutboxDataSource
		DataSource ofTheShop() {
			return new HikariDataSource();
		}

		@Bean
		@OutboxDataSource
		DataSource ofTheReports() {
			return new HikariDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoOfTheRelay {

		@Bean(defaultCandidate = false)
		@OutboxRelayDataSource
		DataSource one() {
			return new HikariDataSource();
		}

		@Bean(defaultCandidate = false)
		@OutboxRelayDataSource
		DataSource two() {
			return new HikariDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfAnotherDatabase {

		@Bean(defaultCandidate = false)
		@OutboxRelayDataSource
		DataSource ofTheRelay() {
			return fresh();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Routing {

		@Bean
		DataSource byTenant() {
			AbstractRoutingDataSource routing = new ByTenant();
			routing.setTargetDataSources(Map.of("one", fresh()));
			routing.setDefaultTargetDataSource(fresh());
			return routing;
		}

	}

	// Says what it is, and does nothing
	@Configuration(proxyBeanMethods = false)
	static class AnotherDatabase {

		@Bean
		DataSource anotherDatabase() {
			return proxy(DataSource.class, Map.of("getConnection", proxy(Connection.class, Map.of("getMetaData", proxy(
					DatabaseMetaData.class,
					Map.of("getDatabaseProductName", "HSQL Database Engine", "getDatabaseProductVersion", "2.7.4"))))));
		}

		private static <T> T proxy(Class<T> type, Map<String, Object> answers) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> (method.getReturnType() == int.class) ? Integer.valueOf(0)
							: (method.getReturnType() == boolean.class) ? Boolean.FALSE
									: answers.get(method.getName())));
		}

	}

	static class ByTenant extends AbstractRoutingDataSource {

		@Override
		protected Object determineCurrentLookupKey() {
			return "one";
		}

		@Override
		public Connection getConnection() {
			throw new IllegalStateException("Nobody needs it");
		}

	}

}
