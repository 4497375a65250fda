/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.AnonymousQueue;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionNameStrategy;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The relay has the application's exchanges and queues declared, and does not wait for
 * what the application does meanwhile.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeclarationTests {

	private static final String NAME = "outbox-test-declared-" + UUID.randomUUID();

	// Until a test is over, it holds up whatever the application does on its connections
	private static volatile CountDownLatch latch = new CountDownLatch(0);

	@BeforeEach
	void hold() {
		latch = new CountDownLatch(1);
	}

	@AfterEach
	void release() {
		latch.countDown();
	}

	@Test
	@RequiresRabbitMq
	void aQueueThatCannotBeDeclaredHoldsNothingUp(CapturedOutput output) throws Exception {
		try (Connection connection = TestQueue.connect("outbox-test");
				Channel channel = connection.createChannel();
				TestQueue queue = TestQueue.forEverything()) {
			channel.queueDeclare(NAME, true, false, false, Map.of());
			try (OutboxApplication application = application(queue).with(QuorumQueue.class).start()) {
				send(application, queue, 1);
				for (int i = 2; i < 5; i++) {
					own(application).resetConnection();
					send(application, queue, i);
				}
				// The application's admin tries for 17 seconds
				assertThat(output).doesNotContain("Exchanges and queues could not be declared");
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.untilAsserted(() -> assertThat(output).contains("Exchanges and queues could not be declared"));
			}
			finally {
				channel.queueDelete(NAME);
			}
		}
	}

	@ParameterizedTest
	@Timeout(60)
	@ValueSource(classes = { SlowConnectionListener.class, SlowConnectionName.class, SlowAdmin.class })
	void whatTheApplicationDoesForLongHoldsNothingUp(Class<?> configuration) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).with(configuration).start()) {
			for (int i = 1; i < 5; i++) {
				send(application, queue, i);
				own(application).resetConnection();
			}
			assertThat(latch.getCount()).isOne();
			latch.countDown();
		}
	}

	@Test
	void theApplicationEndsWhileItsDeclarationsDoNot() {
		try (TestQueue queue = TestQueue.forEverything()) {
			OutboxApplication application = application(queue).with(SlowAdmin.class).start();
			send(application, queue, 1);
			application.close();
			assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.doesNotContain("outbox-relay-declarations");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { BrokenAdmin.class, AdminThatCannotBeMade.class })
	void whateverADeclarationThrowsTheMessagesLeave(Class<?> configuration, CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).with(configuration).start()) {
			send(application, queue, 1);
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains("Exchanges and queues could not be declared",
						"no idea what to declare"));
		}
	}

	// With a single attempt a message that came too early would be a dead letter
	@ParameterizedTest
	@ValueSource(classes = { Newcomer.class, NewcomerOfAnAdmin.class })
	void whatTheApplicationDeclaresIsThereBeforeTheFirstMessage(Class<?> configuration) {
		try (OutboxApplication application = newcomer(configuration).start()) {
			try {
				publishAndReceive(application, 1);
			}
			finally {
				forget(application);
			}
		}
	}

	@Test
	void itIsThereAlsoIfNothingIsMadeBeforeItIsNeeded() {
		try (OutboxApplication application = newcomer(Newcomer.class).with("spring.main.lazy-initialization", true)
			.start()) {
			try {
				publishAndReceive(application, 1);
			}
			finally {
				forget(application);
			}
		}
	}

	@Test
	void whatTheBrokerHasLostIsDeclaredAgain() {
		try (OutboxApplication application = newcomer(Newcomer.class).start()) {
			try {
				publishAndReceive(application, 1);
				forget(application);
				application.bean(CachingConnectionFactory.class).resetConnection();
				own(application).resetConnection();
				publishAndReceive(application, 2);
			}
			finally {
				forget(application);
			}
		}
	}

	private static void publishAndReceive(OutboxApplication application, int version) {
		application.publish(new OrderPlaced("a", version));
		application.awaitEmpty();
		assertThat(application.bean(RabbitTemplate.class).receive(NAME, 10_000)).isNotNull();
		assertThat(application.bean(OutboxAdministration.class).figures().deadLetters().count()).isZero();
	}

	private static Builder application(TestQueue queue) {
		return OutboxApplication.on(Servers.database().fresh()).sendingTo(queue);
	}

	private static Builder newcomer(Class<?> configuration) {
		return OutboxApplication.on(Servers.database().fresh())
			.with(configuration)
			.with("outbox.rabbit.exchange", NAME)
			.with("outbox.retry.max-attempts", 1)
			.with("outbox.retry.on-exhausted", "dead-letter");
	}

	private static void forget(OutboxApplication application) {
		AmqpAdmin admin = application.bean(AmqpAdmin.class);
		admin.deleteExchange(NAME);
		for (int i = 0; i < Newcomer.QUEUES; i++) {
			admin.deleteQueue(NAME + "-" + i);
		}
		admin.deleteQueue(NAME);
	}

	private static void send(OutboxApplication application, TestQueue queue, int version) {
		application.publish(new OrderPlaced("a", version));
		Awaitility.await()
			.atMost(Duration.ofSeconds(8))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> queue.firstArrivals().size() == version);
	}

	private static CachingConnectionFactory own(OutboxApplication application) {
		return application.context().getBean("outboxRabbitConnectionFactory", CachingConnectionFactory.class);
	}

	private static void waitForTheEndOfTheTest() {
		try {
			latch.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class QuorumQueue {

		@Bean
		Queue queue() {
			return QueueBuilder.durable(NAME).quorum().build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SlowConnectionListener {

		@Bean
		Queue queue() {
			return new AnonymousQueue();
		}

		@Bean
		CachingConnectionFactory connections() {
			CachingConnectionFactory factory = RabbitConnectionTests.connectionFactory();
			factory.addConnectionListener((connection) -> waitForTheEndOfTheTest());
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SlowConnectionName {

		@Bean
		Queue queue() {
			return new AnonymousQueue();
		}

		@Bean
		ConnectionNameStrategy connectionName() {
			return (factory) -> {
				waitForTheEndOfTheTest();
				return "slow";
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SlowAdmin {

		@Bean
		RabbitAdmin admin(ConnectionFactory connections) {
			return new RabbitAdmin(connections) {
				@Override
				public void initialize() {
					waitForTheEndOfTheTest();
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BrokenAdmin {

		@Bean
		RabbitAdmin admin(ConnectionFactory connections) {
			return new RabbitAdmin(connections) {
				@Override
				public void initialize() {
					throw new IllegalStateException("no idea what to declare");
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AdminThatCannotBeMade {

		@Bean
		@Lazy
		AmqpAdmin admin() {
			throw new IllegalStateException("no idea what to declare");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Newcomer {

		private static final int QUEUES = 20;

		@Bean
		TopicExchange exchange() {
			return new TopicExchange(NAME);
		}

		@Bean
		Queue queue() {
			return new Queue(NAME);
		}

		@Bean
		Declarables others() {
			List<Queue> queues = new ArrayList<>();
			for (int i = 0; i < QUEUES; i++) {
				queues.add(new Queue(NAME + "-" + i));
			}
			return new Declarables(queues);
		}

		@Bean
		Binding binding(Queue queue, TopicExchange exchange) {
			return BindingBuilder.bind(queue).to(exchange).with("#");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NewcomerOfAnAdmin {

		@Bean
		RabbitAdmin admin(ConnectionFactory connections) {
			RabbitAdmin admin = new RabbitAdmin(connections);
			admin.setExplicitDeclarationsOnly(true);
			return admin;
		}

		@Bean
		Declarables declarables(RabbitAdmin admin) {
			TopicExchange exchange = new TopicExchange(NAME);
			Queue queue = new Queue(NAME);
			Binding binding = BindingBuilder.bind(queue).to(exchange).with("#");
			exchange.setAdminsThatShouldDeclare(admin);
			queue.setAdminsThatShouldDeclare(admin);
			binding.setAdminsThatShouldDeclare(admin);
			return new Declarables(exchange, queue, binding);
		}

	}

}
