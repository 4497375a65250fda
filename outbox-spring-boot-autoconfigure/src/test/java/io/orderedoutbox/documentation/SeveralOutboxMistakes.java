/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Mistakes with outboxes that have names.
 */
final class SeveralOutboxMistakes {

	private static final String TABLES = "outbox.named.audit.jdbc.table-prefix=audit_";

	private static final String CREATED = "outbox.named.audit.jdbc.initialize-schema=always";

	private static final String[] SHARD = { "outbox.enabled=false", "outbox.named.north.data-source=one",
			"outbox.named.north.routing-data-source=byCustomer", "outbox.named.north.jdbc.initialize-schema=always" };

	static final List<Mistake> ALL = List.of(Mistake.properties("outbox.named.Audit.relay.workers=2"),
			Mistake.properties("outbox.named.audit.jdbc.table-prefix=outbox_", CREATED),
			Mistake.properties("outbox.named.audit.data-source=nowhere"),
			Mistake.beans("qualifies two `DataSource` beans with the name of the outbox `audit`", TwoOfTheAudit.class,
					"outbox.named.audit.relay.workers=2"),
			Mistake.beans("has two `DataSource` beans, and the outbox `audit` has none",
					DatabaseMistakes.TwoDataSources.class, "outbox.enabled=false",
					"outbox.named.audit.relay.workers=2"),
			Mistake.beans("has a `DataSource` for the outbox `audit` that cannot be made", Broken.class,
					"outbox.named.audit.data-source=reports"),
			Mistake.properties("outbox.named.audit.relay.workers=0"),
			Mistake.properties("outbox.named.audit.relay.workers=many"),
			Mistake.properties("outbox.named.audit.retry.jitter=1.5"),
			Mistake.properties("outbox.named.audit.rabbit.format=xml", TABLES, CREATED),
			Mistake.properties("outbox.named.audit.monitor.sample-interval=10ms", TABLES, CREATED),
			Mistake.properties("outbox.named.audit.jdbc.initialize-schema=never", TABLES),
			Mistake.properties("outbox.named.audit.relay.mode=once", TABLES, CREATED),
			Mistake.properties("outbox.jdbc.verify-transaction=true", "outbox.named.audit.jdbc.verify-transaction=true",
					TABLES, CREATED),
			Mistake.beans("has two shards in one database", Shards.class, "outbox.enabled=false",
					"outbox.named.north.data-source=one", "outbox.named.north.routing-data-source=byCustomer",
					"outbox.named.north.jdbc.initialize-schema=always", "outbox.named.south.data-source=one",
					"outbox.named.south.routing-data-source=byCustomer",
					"outbox.named.south.jdbc.initialize-schema=always", "outbox.named.south.jdbc.table-prefix=south_"),
			new Mistake("has a shard with a URL that does not show which database it is", (trial) -> {
				trial.application().with(Shards.class);
				trial.with(SHARD);
				trial.withUrl((url) -> url.replaceFirst("//([^:/]+):(\\d+)/", "//address=(host=$1)(port=$2)/"));
			}), new Mistake("has a shard whose `DataSource` has no URL while its database is away", (trial) -> {
				trial.application().with(Shards.class);
				trial.with(SHARD);
				trial.with("outbox.named.north.data-source=away");
			}));

	private SeveralOutboxMistakes() {
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoOfTheAudit {

		@Bean(defaultCandidate = false)
		@Qualifier("audit")
		DataSource one() {
			return new DriverManagerDataSource();
		}

		@Bean(defaultCandidate = false)
		@Qualifier("audit")
		DataSource two() {
			return new DriverManagerDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Broken {

		@Bean(defaultCandidate = false)
		@Lazy
		DataSource reports() {
			throw new IllegalStateException("The reports have no database");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Shards {

		@Bean(defaultCandidate = false)
		HikariDataSource one(Environment environment) {
			return DataSourceBuilder.create()
				.type(HikariDataSource.class)
				.url(environment.getRequiredProperty("spring.datasource.url"))
				.username(environment.getRequiredProperty("spring.datasource.username"))
				.password(environment.getRequiredProperty("spring.datasource.password"))
				.build();
		}

		@Bean(defaultCandidate = false)
		DataSource away() {
			return new AbstractDataSource() {

				@Override
				public Connection getConnection() throws SQLException {
					throw new SQLException("Connection refused");
				}

				@Override
				public Connection getConnection(String username, String password) throws SQLException {
					return getConnection();
				}

			};
		}

		@Bean
		DataSource byCustomer(@Qualifier("one") DataSource one) {
			DatabaseMistakes.ByTenant routing = new DatabaseMistakes.ByTenant();
			routing.setTargetDataSources(Map.of("one", one));
			return routing;
		}

	}

}
