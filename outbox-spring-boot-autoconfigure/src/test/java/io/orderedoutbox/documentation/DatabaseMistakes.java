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
import io.orderedoutbox.testing.TenantConnections;
import org.hibernate.cfg.MultiTenancySettings;

import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Mistakes with the DataSource.
 */
final class DatabaseMistakes {

	private static final String NO_DATA_SOURCE = "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
			+ OutboxApplication.JPA;

	static final List<Mistake> DATA_SOURCES = List.of(
			new Mistake("has no `DataSource`", (trial) -> trial.with(NO_DATA_SOURCE)),
			Mistake.beans("has two `DataSource` beans, of which none is marked", TwoDataSources.class),
			Mistake.beans("marks two `DataSource` beans with `@OutboxDataSource`", TwoMarked.class),
			Mistake.beans("marks two `DataSource` beans with `@OutboxRelayDataSource`", TwoOfTheRelay.class),
			Mistake.beans("marks a `DataSource` of another database with `@OutboxRelayDataSource`",
					OfAnotherDatabase.class),
			Mistake.beans("has a `DataSource` that routes to several databases", Routing.class),
			new Mistake("has a `MultiTenantConnectionProvider` of Hibernate", (trial) -> {
				trial.application().withJpa().with(Tenants.class);
				trial.with("spring.jpa.open-in-view=false");
			}),
			new Mistake("`outbox.relay.pool-size=3` with a `DataSource` that is no HikariCP pool",
					(trial) -> trial.with("outbox.relay.pool-size=3",
							"spring.datasource.type=" + DriverManagerDataSource.class.getName())),
			Mistake.beans("connects to a database that is none of ours", AnotherDatabase.class),
			new Mistake("connects to H2 with `MODE=Oracle`",
					(trial) -> trial.with("spring.datasource.url=jdbc:h2:mem:oracle;MODE=Oracle",
							"spring.datasource.username=sa", "spring.datasource.password=")),
			new Mistake("`outbox.jdbc.initialize-schema=always` while the database is away",
					(trial) -> trial.with("spring.datasource.url=jdbc:mysql://127.0.0.1:1/shop")),
			new Mistake("`outbox.jdbc.initialize-schema=always` with a wrong password",
					(trial) -> trial.with("spring.datasource.password=wrong")),
			new Mistake("switches auto-commit off in the sessions of its pool",
					(trial) -> trial.with("spring.datasource.hikari.connection-init-sql=SET autocommit=0")));

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

	@Configuration(proxyBeanMethods = false)
	static class Tenants {

		@Bean
		HibernatePropertiesCustomizer tenants(DataSource dataSource) {
			return (properties) -> properties.putAll(
					Map.of(MultiTenancySettings.MULTI_TENANT_CONNECTION_PROVIDER, new TenantConnections(dataSource)));
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
