/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.application;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.benchmark.cost.RoundTrips;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * One instance of an application with the outbox, in ordered mode and with default
 * settings unless said otherwise.
 */
public final class Instance implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private Instance(ConfigurableApplicationContext context) {
		this.context = context;
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	public OutboxRelay relay() {
		return bean(OutboxRelay.class);
	}

	public JdbcClient jdbc() {
		return bean(JdbcClient.class);
	}

	public TransactionTemplate transaction() {
		return bean(TransactionTemplate.class);
	}

	/**
	 * Connect to the broker, as whoever has sent something before is.
	 */
	public void connect() {
		bean(MessageSender.class).withChannel((channel) -> {
		});
	}

	void publishEvent(Object event) {
		this.context.publishEvent(event);
	}

	public long depth() {
		return jdbc().sql("SELECT COUNT(*) FROM outbox_message").query(Long.class).single();
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Says how the instance differs from the ordinary one.
	 */
	public static final class Builder {

		private final Map<String, Object> properties = new LinkedHashMap<>();

		private final List<Object> beans = new ArrayList<>();

		private final List<Class<?>> sources = new ArrayList<>(List.of(Application.class));

		public Builder(Database database, Broker broker) {
			with("spring.main.banner-mode", "off");
			with("spring.jmx.enabled", "false");
			with("spring.datasource.url", counted(database.jdbcUrl()));
			with("spring.datasource.username", database.username());
			with("spring.datasource.password", database.password());
			with("spring.rabbitmq.host", broker.host());
			with("spring.rabbitmq.port", broker.port());
			with("spring.rabbitmq.username", broker.username());
			with("spring.rabbitmq.password", broker.password());
			with("outbox.ordered", "true");
			with("outbox.jdbc.initialize-schema", "always");
		}

		private static String counted(String url) {
			return url + (url.contains("?") ? "&" : "?") + "queryInterceptors=" + RoundTrips.class.getName();
		}

		public Builder with(String property, Object value) {
			this.properties.put(property, value);
			return this;
		}

		/**
		 * Add a bean, known by all of its types.
		 */
		public Builder withBean(Object bean) {
			this.beans.add(bean);
			return this;
		}

		/**
		 * Add a bean that Spring makes, such as a listener.
		 */
		public Builder withSource(Class<?> type) {
			this.sources.add(type);
			return this;
		}

		/**
		 * Add an option of the driver to the JDBC URL.
		 */
		public Builder withJdbcOption(String name, String value) {
			return with("spring.datasource.url",
					this.properties.get("spring.datasource.url") + "&" + name + "=" + value);
		}

		public Instance start() {
			String[] arguments = this.properties.entrySet()
				.stream()
				.map((property) -> "--" + property.getKey() + "=" + property.getValue())
				.toArray(String[]::new);
			return new Instance(
					new SpringApplicationBuilder(this.sources.toArray(Class[]::new)).web(WebApplicationType.NONE)
						.logStartupInfo(false)
						.registerShutdownHook(false)
						.initializers(this::addBeans)
						.run(arguments));
		}

		private void addBeans(ConfigurableApplicationContext context) {
			this.beans.forEach((bean) -> context.getBeanFactory().registerSingleton(bean.getClass().getName(), bean));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
