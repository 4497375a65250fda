/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.logging.ConditionEvaluationReportLoggingListener;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.ResourceLoader;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A real Spring Boot application with the outbox, on the servers that this JVM uses. Each
 * has a pool of its own, so that several of them are several instances.
 */
public final class OutboxApplication implements AutoCloseable {

	/**
	 * The auto-configurations of JPA, to be excluded where a test does not need it.
	 */
	public static final String JPA = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
			+ "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

	private final ConfigurableApplicationContext context;

	private OutboxApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * An application in ordered mode, without JPA, that creates its tables in the given
	 * schema.
	 */
	public static Builder on(Database database) {
		return new Builder(database);
	}

	public ConfigurableApplicationContext context() {
		return this.context;
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	public Outbox outbox() {
		return bean(Outbox.class);
	}

	public JdbcClient jdbc() {
		return bean(JdbcClient.class);
	}

	public TransactionTemplate transaction() {
		return bean(TransactionTemplate.class);
	}

	/**
	 * Publish events in one transaction.
	 */
	public void publish(Object... events) {
		transaction().executeWithoutResult((status) -> Arrays.stream(events).forEach(this.context::publishEvent));
	}

	/**
	 * Publish in one transaction, and return the message id.
	 */
	public UUID publish(Object event) {
		return transaction().execute((status) -> outbox().publish(event));
	}

	public void inTransaction(Consumer<Outbox> work) {
		transaction().executeWithoutResult((status) -> work.accept(outbox()));
	}

	/**
	 * How many messages are in the outbox.
	 */
	public long depth() {
		return jdbc().sql("SELECT COUNT(*) FROM outbox_message").query(Long.class).single();
	}

	/**
	 * How many messages of the outbox meet a condition.
	 */
	public long count(String condition) {
		return jdbc().sql("SELECT COUNT(*) FROM outbox_message WHERE " + condition).query(Long.class).single();
	}

	/**
	 * What is in the outbox.
	 */
	public List<StoredRow> rows() {
		return StoredRow.in(jdbc());
	}

	public void awaitEmpty() {
		awaitDepth(0);
	}

	public void awaitDepth(long depth) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> depth() == depth);
	}

	public void awaitNoConnectionInUse() {
		Awaitility.await().until(() -> bean(HikariDataSource.class).getHikariPoolMXBean().getActiveConnections() == 0);
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Says how the application differs from the ordinary one.
	 */
	public static final class Builder {

		private final Map<String, Object> properties = new LinkedHashMap<>();

		private final List<String> hidden = new ArrayList<>();

		private final List<Class<?>> configurations = new ArrayList<>(List.of(Ordinary.class));

		private @Nullable ConfigurableApplicationContext parent;

		private Builder(Database database) {
			Broker broker = Servers.broker();
			this.properties.put("spring.main.banner-mode", "off");
			this.properties.put("spring.jmx.enabled", "false");
			this.properties.put("spring.datasource.url", database.jdbcUrl());
			this.properties.put("spring.datasource.username", database.username());
			this.properties.put("spring.datasource.password", database.password());
			this.properties.put("spring.rabbitmq.host", broker.host());
			this.properties.put("spring.rabbitmq.port", broker.port());
			this.properties.put("spring.rabbitmq.username", broker.username());
			this.properties.put("spring.rabbitmq.password", broker.password());
			this.properties.put("outbox.ordered", "true");
			this.properties.put("outbox.jdbc.initialize-schema", "always");
			withoutJpa();
		}

		private void withoutJpa() {
			this.properties.put("spring.autoconfigure.exclude", JPA);
		}

		public Builder withJpa() {
			this.properties.remove("spring.autoconfigure.exclude");
			if (Servers.database().platform().equals("mariadb")) {
				// MySQL's driver cannot tell Hibernate what MariaDB is
				with("spring.jpa.database-platform", "org.hibernate.dialect.MariaDBDialect");
			}
			return this;
		}

		/**
		 * Consume only: an inbox, whose tables are created, and no outbox.
		 */
		public Builder withInboxAlone() {
			return with("outbox.enabled", false).with("outbox.inbox.enabled", true)
				.with("outbox.inbox.initialize-schema", "always");
		}

		/**
		 * Write only: whatever is published stays in the table.
		 */
		public Builder withoutRelay() {
			return with("outbox.relay.mode", "off");
		}

		public Builder sendingTo(TestQueue queue) {
			return with("outbox.rabbit.exchange", queue.exchange());
		}

		/**
		 * Reach the broker through a proxy.
		 */
		public Builder brokerThrough(TcpProxy proxy) {
			return with("spring.rabbitmq.host", proxy.host()).with("spring.rabbitmq.port", proxy.port());
		}

		/**
		 * Reach the database through a proxy.
		 */
		public Builder databaseThrough(TcpProxy proxy) {
			String direct = this.properties.get("spring.datasource.url").toString();
			return with("spring.datasource.url",
					direct.replaceFirst("//[^/]+/", "//%s:%d/".formatted(proxy.host(), proxy.port())));
		}

		/**
		 * Add an option of the driver to the JDBC URL.
		 */
		public Builder withJdbcOption(String name, String value) {
			String url = (String) this.properties.get("spring.datasource.url");
			if (Servers.database().isH2()) {
				// It refuses what it does not know
				return this;
			}
			return with("spring.datasource.url", url + (url.contains("?") ? "&" : "?") + name + "=" + value);
		}

		/**
		 * Let {@link SqlLog} see the statements.
		 */
		public Builder withSqlLog() {
			return (Servers.database().isPostgreSql() || Servers.database().isH2()) ? with(WatchedPool.class)
					: withJdbcOption("queryInterceptors", SqlLog.class.getName());
		}

		public Builder with(String property, Object value) {
			this.properties.put(property, value);
			return this;
		}

		/**
		 * Let it be as if these packages alone were not on the class path.
		 */
		public Builder hiding(String... packages) {
			this.hidden.clear();
			this.hidden.addAll(List.of(packages));
			return this;
		}

		public Builder with(Class<?>... configurations) {
			this.configurations.addAll(List.of(configurations));
			return this;
		}

		public Builder childOf(ConfigurableApplicationContext context) {
			this.parent = context;
			return this;
		}

		private ResourceLoader resources() {
			return this.hidden.isEmpty() ? new DefaultResourceLoader()
					: new DefaultResourceLoader(new FilteredClassLoader(this.hidden.toArray(String[]::new)));
		}

		public OutboxApplication start() {
			String[] arguments = this.properties.entrySet()
				.stream()
				.map((property) -> "--" + property.getKey() + "=" + property.getValue())
				.toArray(String[]::new);
			SpringApplicationBuilder builder = new SpringApplicationBuilder(
					this.configurations.toArray(Class<?>[]::new))
				.resourceLoader(resources());
			if (this.parent != null) {
				builder.parent(this.parent);
			}
			// It sums up all conditions, to log them nowhere
			builder.application()
				.setInitializers(builder.application()
					.getInitializers()
					.stream()
					.filter((initializer) -> !(initializer instanceof ConditionEvaluationReportLoggingListener))
					.toList());
			return new OutboxApplication(builder.web(WebApplicationType.NONE)
				.logStartupInfo(false)
				.registerShutdownHook(false)
				.run(arguments));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Ordinary {

	}

}
