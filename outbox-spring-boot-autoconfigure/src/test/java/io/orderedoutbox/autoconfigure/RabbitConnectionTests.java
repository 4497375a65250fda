/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.AmqpTemplate;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitOperations;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The outbox beside the application's own use of RabbitMQ.
 */
class RabbitConnectionTests {

	@Test
	void theApplicationsTemplateAndConnectionFactoryStayTheOnlyOnesItSees() {
		try (OutboxApplication application = application().start()) {
			ConnectionFactory factory = application.bean(ConnectionFactory.class);
			RabbitTemplate template = application.bean(RabbitTemplate.class);
			assertThat(template.getConnectionFactory()).isSameAs(factory);
			assertThat(application.bean(AmqpTemplate.class)).isSameAs(template);
			assertThat(application.bean(RabbitOperations.class)).isSameAs(template);
			assertThat(own(application)).isNotSameAs(factory);
		}
	}

	@Test
	void theApplicationsConfirmsAndReturnsStayAsConfigured() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue)
					.with("spring.rabbitmq.publisher-confirm-type", "correlated")
					.with("spring.rabbitmq.publisher-returns", "true")
					.start()) {
			CachingConnectionFactory factory = application.bean(CachingConnectionFactory.class);
			assertThat(factory.isPublisherConfirms()).isTrue();
			assertThat(factory.isSimplePublisherConfirms()).isFalse();
			assertThat(factory.isPublisherReturns()).isTrue();
			assertThat(own(application).isSimplePublisherConfirms()).isTrue();
			assertThat(own(application).isPublisherReturns()).isFalse();
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
		}
	}

	@Test
	void withoutConfirmsForTheApplicationTheOutboxHasThem() {
		try (OutboxApplication application = application().start()) {
			CachingConnectionFactory factory = application.bean(CachingConnectionFactory.class);
			assertThat(factory.isPublisherConfirms() || factory.isSimplePublisherConfirms()).isFalse();
			assertThat(own(application).isSimplePublisherConfirms()).isTrue();
		}
	}

	@Test
	void aConnectionFactoryOfTheApplicationsOwnIsUsed() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue)
					.with("spring.rabbitmq.host", "localhost")
					.with("spring.rabbitmq.port", 1)
					.with(OwnConnectionFactory.class)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			assertThat(application.bean(ConnectionFactory.class)).isNotSameAs(own(application));
		}
	}

	@Test
	void aConnectionFactoryForTheOutboxThatHasNoConfirmsIsRefused() {
		assertThatThrownBy(() -> application().with(WithoutConfirms.class).start().close())
			.hasStackTraceContaining("has no simple publisher confirms");
	}

	@Test
	void exchangesAndQueuesOfTheApplicationAreDeclaredWhenOnlyTheRelayConnects() {
		try (OutboxApplication application = application().with(Declarations.class)
			.with("outbox.rabbit.exchange", Declarations.NAME)
			.start()) {
			try {
				application.publish(new OrderPlaced("a", 1));
				application.awaitEmpty();
				assertThat(application.bean(RabbitTemplate.class).receive(Declarations.NAME, 10_000)).isNotNull();
			}
			finally {
				RabbitAdmin admin = application.bean(RabbitAdmin.class);
				admin.deleteQueue(Declarations.NAME);
				admin.deleteExchange(Declarations.NAME);
			}
		}
	}

	@Test
	void bootsHealthIndicatorForTheBrokerSeesTheApplicationsConnectionOnly() {
		try (OutboxApplication application = application().start()) {
			HealthIndicator indicator = application.context().getBean("rabbitHealthContributor", HealthIndicator.class);
			assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
		}
	}

	private static Builder application() {
		return OutboxApplication.on(Servers.database().fresh());
	}

	private static CachingConnectionFactory own(OutboxApplication application) {
		return application.context().getBean("outboxRabbitConnectionFactory", CachingConnectionFactory.class);
	}

	static CachingConnectionFactory connectionFactory() {
		CachingConnectionFactory factory = new CachingConnectionFactory(Servers.broker().host(),
				Servers.broker().port());
		factory.setUsername(Servers.broker().username());
		factory.setPassword(Servers.broker().password());
		return factory;
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnConnectionFactory {

		@Bean
		CachingConnectionFactory applicationConnectionFactory() {
			return connectionFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WithoutConfirms {

		@Bean(defaultCandidate = false)
		CachingConnectionFactory outboxRabbitConnectionFactory() {
			CachingConnectionFactory factory = connectionFactory();
			factory.setPublisherConfirmType(ConfirmType.NONE);
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Declarations {

		private static final String NAME = "outbox-test-declared-" + java.util.UUID.randomUUID();

		@Bean
		TopicExchange exchange() {
			return new TopicExchange(NAME);
		}

		@Bean
		Queue queue() {
			return new Queue(NAME);
		}

		@Bean
		Binding binding(Queue queue, TopicExchange exchange) {
			return BindingBuilder.bind(queue).to(exchange).with("#");
		}

	}

}
