/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.once.OneShotExit;
import io.orderedoutbox.once.OneShotOutput;
import io.orderedoutbox.testing.OrderPlaced;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application that is processed ahead of time. What it does for a test is called by
 * reflection: it runs on a class path of its own.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class AheadOfTimeApplication {

	private static final Set<String> OTHER_NAMES = Set.of("outboxRabbitConnectionFactory", "outboxMonitorRoutes",
			"outboxHealthIndicator", "disabledOutboxLog", "inboxHealthIndicator", "shardQueues",
			"shardListenerContainerFactory");

	public static void main(String[] arguments) {
		start(arguments).close();
	}

	// A test that runs once must not end the virtual machine
	@Bean
	OneShotExit exit() {
		return new OneShotExit((context) -> {
		});
	}

	// The property would silence the log of all tests that come later as well
	@Bean
	OneShotOutput output() {
		return OneShotOutput.SILENT;
	}

	@Bean
	@Profile("shards")
	ShardQueues shards() {
		return ShardQueues.of("shop", "billing", 2);
	}

	@Bean
	@Profile("consumer")
	Consumer consumer() {
		return new Consumer();
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		// A virtual machine lets one Tomcat register one, and several of them start here
		TomcatURLStreamHandlerFactory.disable();
		SpringApplication application = new SpringApplication(AheadOfTimeApplication.class);
		application.setMainApplicationClass(AheadOfTimeApplication.class);
		application.setRegisterShutdownHook(false);
		return application.run(arguments);
	}

	/**
	 * Start the application.
	 * @return the names of the beans that the library has put into it
	 */
	public static Set<String> beans(String... arguments) {
		try (ConfigurableApplicationContext context = start(arguments)) {
			Set<String> names = new TreeSet<>();
			Arrays.stream(context.getBeanDefinitionNames())
				.filter((name) -> name.startsWith("orderedOutbox") || name.startsWith("orderedInbox")
						|| OTHER_NAMES.contains(name))
				.forEach(names::add);
			return names;
		}
	}

	/**
	 * Start the application, and let it publish an event.
	 */
	public static AutoCloseable publish(String... arguments) {
		ConfigurableApplicationContext context = start(arguments);
		context.getBean(TransactionTemplate.class)
			.executeWithoutResult((status) -> context.getBean(Outbox.class).publish(new OrderPlaced("a", 1)));
		return context;
	}

	/**
	 * Start the application without an outbox, and let it use its database.
	 */
	public static int withoutOutbox(String... arguments) {
		try (ConfigurableApplicationContext context = start(arguments)) {
			return context.getBean(JdbcClient.class).sql("SELECT 7").query(Integer.class).single();
		}
	}

	static class Consumer {

		@ProcessOnce("consumer")
		@RabbitListener(queues = "${consumer.queue}")
		void on(OrderPlaced event) {
		}

	}

}
