/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.orderedoutbox.autoconfigure.relay.OutboxRabbitAutoConfiguration;
import io.orderedoutbox.listen.ListenerMessageSender;
import io.orderedoutbox.listen.OutboxListeners;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.store.Partitioner;
import io.orderedoutbox.testing.OutboxApplication;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.SimpleRoutingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ThreadChannelConnectionFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Mistakes with what sends messages, and with the beans and methods around it.
 */
final class SendingMistakes {

	private static final String KAFKA = "outbox.sender=kafka";

	static final List<Mistake> SENDERS = List.of(
			new Mistake("has neither AMQP nor a `MessageSender`",
					(trial) -> trial.with("spring.autoconfigure.exclude="
							+ OutboxRabbitAutoConfiguration.class.getName() + "," + OutboxApplication.JPA)),
			new Mistake("`outbox.sender=kafka` without the library of Kafka", (trial) -> {
				trial.with(KAFKA);
				trial.application().hiding("org.springframework.kafka");
			}),
			new Mistake("`outbox.sender=kafka` without a `ProducerFactory`", (trial) -> trial.with(KAFKA,
					"spring.autoconfigure.exclude=org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration,"
							+ OutboxApplication.JPA)),
			Mistake.properties(KAFKA, "spring.kafka.producer.properties[linger.ms]=5s"),
			Mistake.properties("outbox.sender=rabit"), Mistake.properties("outbox.senders[audit.*]=archive"),
			Mistake.properties("outbox.senders[audit.*]=in-process", "outbox.relay.pipelined-keys=true"),
			Mistake.properties("outbox.sender=in-process", "outbox.relay.pipelined-keys=true"),
			Mistake.beans("has two `MessageSender` beans", TwoSenders.class),
			Mistake.beans("has a RabbitMQ connection factory that routes to others", RoutingConnections.class),
			Mistake.beans("has an `outboxRabbitConnectionFactory` without publisher confirms", WithoutConfirms.class),
			Mistake.beans("has an `outboxRabbitConnectionFactory` of another type", OfAnotherType.class));

	static final List<Mistake> BEANS = List.of(new Mistake("has no `JsonMapper`", (trial) -> trial
		.with("spring.autoconfigure.exclude=org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration,"
				+ OutboxApplication.JPA)),
			new Mistake("has neither the library of Jackson nor a `PayloadSerializer`",
					(trial) -> trial.application().hiding("tools.jackson")),
			Mistake.beans("has two `Partitioner` beans", TwoPartitioners.class),
			Mistake.beans("has two `PayloadTransformer` beans of one name", TwoTransformers.class),
			Mistake.beans("has a `PayloadTransformer` whose name cannot be one", Misnamed.class),
			new Mistake("serves the page that can act, beside Spring Security, and does not say that it is secured",
					(trial) -> trial.with("spring.main.web-application-type=servlet", "server.port=0",
							"outbox.monitor.enabled=true")));

	private SendingMistakes() {
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoSenders {

		@Bean
		MessageSender toTheShop() {
			return sender();
		}

		@Bean
		MessageSender toTheReports() {
			return sender();
		}

		private static MessageSender sender() {
			return new ListenerMessageSender(new OutboxListeners(Class::getName), (body, type) -> body,
					UnaryOperator.identity(), Duration.ofSeconds(10));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RoutingConnections {

		@Bean
		ConnectionFactory byTenant() {
			SimpleRoutingConnectionFactory routing = new SimpleRoutingConnectionFactory();
			routing.setTargetConnectionFactories(Map.of("tenant", new CachingConnectionFactory("tenant")));
			routing.setDefaultTargetConnectionFactory(new CachingConnectionFactory("other"));
			return routing;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WithoutConfirms {

		@Bean(defaultCandidate = false)
		CachingConnectionFactory outboxRabbitConnectionFactory() {
			return new CachingConnectionFactory("shop");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfAnotherType {

		@Bean(defaultCandidate = false)
		ConnectionFactory outboxRabbitConnectionFactory() {
			return new ThreadChannelConnectionFactory(new com.rabbitmq.client.ConnectionFactory());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoPartitioners {

		@Bean
		Partitioner byKey() {
			return (key, partitions) -> 0;
		}

		@Bean
		Partitioner byTenant() {
			return (key, partitions) -> 0;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoTransformers {

		@Bean
		PayloadTransformer one() {
			return new Named("aes");
		}

		@Bean
		PayloadTransformer two() {
			return new Named("aes");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Misnamed {

		@Bean
		PayloadTransformer one() {
			return new Named("AES 256");
		}

	}

	record Named(String encoding) implements PayloadTransformer {

		@Override
		public byte[] encode(byte[] payload, PayloadContext context) {
			return payload;
		}

		@Override
		public byte[] decode(byte[] payload, PayloadContext context) {
			return payload;
		}

	}

}
