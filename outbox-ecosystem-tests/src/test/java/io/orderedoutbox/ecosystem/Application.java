/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import org.awaitility.Awaitility;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A Spring Boot application with the starter, in ordered mode, and with the libraries
 * that a test names.
 */
final class Application implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private Application(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * An application on a schema of its own.
	 */
	static Builder with(Library... libraries) {
		return on(Servers.database().fresh(), libraries);
	}

	/**
	 * An application on a schema that may have tables.
	 */
	static Builder on(Database database, Library... libraries) {
		return new Builder(database, Set.of(libraries));
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	Outbox outbox() {
		return bean(Outbox.class);
	}

	JdbcClient jdbc() {
		return bean(JdbcClient.class);
	}

	TransactionTemplate transaction() {
		return bean(TransactionTemplate.class);
	}

	/**
	 * Publish events in one transaction.
	 */
	void publish(Object... events) {
		transaction().executeWithoutResult((status) -> List.of(events).forEach(this.context::publishEvent));
	}

	/**
	 * What is in the outbox, in the order of its positions: the body of each message.
	 */
	List<String> stored() {
		return jdbc().sql("SELECT payload FROM outbox_message ORDER BY id")
			.query(byte[].class)
			.list()
			.stream()
			.map(String::new)
			.toList();
	}

	void awaitEmpty() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> stored().isEmpty());
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Says what else the application has.
	 */
	static final class Builder {

		private final Map<String, Object> properties = new LinkedHashMap<>();

		private final List<Class<?>> configurations = new ArrayList<>(List.of(Ordinary.class));

		private WebApplicationType web = WebApplicationType.NONE;

		private Builder(Database database, Set<Library> libraries) {
			Broker broker = Servers.broker();
			with("spring.main.banner-mode", "off");
			with("spring.jmx.enabled", "false");
			with("spring.autoconfigure.exclude", others(libraries));
			with("spring.datasource.url", database.jdbcUrl());
			with("spring.datasource.username", database.username());
			with("spring.datasource.password", database.password());
			with("spring.rabbitmq.host", broker.host());
			with("spring.rabbitmq.port", broker.port());
			with("spring.rabbitmq.username", broker.username());
			with("spring.rabbitmq.password", broker.password());
			with("outbox.ordered", "true");
			with("outbox.jdbc.initialize-schema", "always");
			if (database.platform().equals("mariadb")) {
				// MySQL's driver cannot tell Hibernate what MariaDB is
				with("spring.jpa.database-platform", "org.hibernate.dialect.MariaDBDialect");
			}
		}

		private static String others(Set<Library> libraries) {
			return ImportCandidates.load(AutoConfiguration.class, Application.class.getClassLoader())
				.getCandidates()
				.stream()
				.filter((candidate) -> Library.of(candidate)
					.filter((library) -> !libraries.contains(library))
					.isPresent())
				.collect(Collectors.joining(","));
		}

		Builder with(String property, Object value) {
			this.properties.put(property, value);
			return this;
		}

		Builder with(Class<?>... configurations) {
			this.configurations.addAll(List.of(configurations));
			return this;
		}

		/**
		 * Write only: whatever is published stays in the table.
		 */
		Builder withoutRelay() {
			return with("outbox.relay.mode", "off");
		}

		Builder sendingTo(Arrivals arrivals) {
			return with("outbox.rabbit.exchange", arrivals.exchange());
		}

		/**
		 * Let the application have a web server, that of WebFlux.
		 */
		Builder served() {
			this.web = WebApplicationType.REACTIVE;
			return with("server.port", 0).with(ThreadsOfItsOwn.class);
		}

		String property(String name) {
			return this.properties.get(name).toString();
		}

		List<String> arguments() {
			return this.properties.entrySet()
				.stream()
				.map((property) -> "--" + property.getKey() + "=" + property.getValue())
				.toList();
		}

		Application start() {
			return new Application(
					new SpringApplicationBuilder(this.configurations.toArray(Class<?>[]::new)).web(this.web)
						.logStartupInfo(false)
						.registerShutdownHook(false)
						.run(arguments().toArray(String[]::new)));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Ordinary {

	}

	/**
	 * The end of an application ends the threads that all servers share by default.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ThreadsOfItsOwn {

		@Bean
		ReactorResourceFactory threads() {
			ReactorResourceFactory threads = new ReactorResourceFactory();
			threads.setUseGlobalResources(false);
			return threads;
		}

	}

}
