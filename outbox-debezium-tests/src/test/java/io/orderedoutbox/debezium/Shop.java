/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.debezium;

import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application with the outbox.
 */
final class Shop implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private Shop(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static Shop on(Database database, String... properties) {
		Broker broker = Servers.broker();
		Stream<String> ordinary = Stream.of("spring.main.banner-mode=off",
				"spring.datasource.url=" + database.jdbcUrl(), "spring.datasource.username=" + database.username(),
				"spring.datasource.password=" + database.password(), "spring.rabbitmq.host=" + broker.host(),
				"spring.rabbitmq.port=" + broker.port(), "spring.rabbitmq.username=" + broker.username(),
				"spring.rabbitmq.password=" + broker.password(), "outbox.ordered=true",
				"outbox.jdbc.initialize-schema=always");
		return new Shop(new SpringApplicationBuilder(Ordinary.class).web(WebApplicationType.NONE)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.run(Stream.concat(ordinary, Stream.of(properties))
				.map((property) -> "--" + property)
				.toArray(String[]::new)));
	}

	Outbox outbox() {
		return this.context.getBean(Outbox.class);
	}

	JdbcClient jdbc() {
		return this.context.getBean(JdbcClient.class);
	}

	TransactionTemplate transaction() {
		return this.context.getBean(TransactionTemplate.class);
	}

	/**
	 * Publish events in one transaction.
	 */
	void publish(Object... events) {
		transaction().executeWithoutResult((status) -> List.of(events).forEach(this.context::publishEvent));
	}

	boolean isEmpty() {
		return jdbc().sql("SELECT COUNT(*) FROM outbox_message").query(Integer.class).single() == 0;
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * An event.
	 */
	@OutboxMessage("order.changed")
	record OrderChanged(@PartitionKey String order, int version) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Ordinary {

	}

}
