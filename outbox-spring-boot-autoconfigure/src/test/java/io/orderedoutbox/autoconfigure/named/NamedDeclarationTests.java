/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.UUID;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.core.AbstractDeclarable;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The relay of an outbox with a name has declared what is on its own broker, whenever the
 * admin is made, and whoever may inject it.
 */
class NamedDeclarationTests {

	private static String name = "";

	@BeforeEach
	void choose() {
		name = "outbox-test-declared-" + UUID.randomUUID();
	}

	@AfterEach
	void forget() {
		CachingConnectionFactory connections = connections(Servers.broker().host(), Servers.broker().port(),
				Servers.broker().username(), Servers.broker().password());
		RabbitAdmin admin = new RabbitAdmin(connections);
		admin.deleteExchange(name);
		admin.deleteQueue(name);
		connections.destroy();
	}

	@Test
	void anOutboxThatIsMadeBeforeTheAdminHasItDeclare() {
		assertDeclared(application().with(Early.class, Topology.class));
	}

	@Test
	void nothingIsMadeBeforeItIsNeeded() {
		assertDeclared(application().with(Topology.class).with("spring.main.lazy-initialization", true));
	}

	@Test
	void theAdminOfItsOwnBrokerDeclares() {
		assertDeclared(application().with(TwoBrokers.class)
			.with("outbox.named.billing.connection-factory", "brokerOfInvoices"));
	}

	@Test
	void theAdminOfItsOwnBrokerDeclaresIfItIsMadeLate() {
		assertDeclared(application().with(TwoBrokers.class)
			.with("spring.main.lazy-initialization", true)
			.with("outbox.named.billing.connection-factory", "brokerOfInvoices"));
	}

	@Test
	void theAdminWithItsNameDeclares() {
		assertDeclared(application().with(QualifiedAdmin.class));
	}

	// With a single attempt a message that came too early would be a dead letter
	private static void assertDeclared(Builder builder) {
		try (OutboxApplication application = builder.start()) {
			application.publish(new Object[] { new InvoiceSent(1) });
			RabbitTemplate template = application.bean(RabbitTemplate.class);
			assertThat(Awaitility.await()
				.ignoreException(AmqpIOException.class)
				.until(() -> template.receive(name, 1000), (message) -> message != null)).isNotNull();
			Awaitility.await()
				.until(() -> application.jdbc()
					.sql("SELECT COUNT(*) FROM billing_message")
					.query(Long.class)
					.single() == 0);
		}
	}

	private static Builder application() {
		return OutboxApplication.on(Servers.database().fresh())
			.with("outbox.enabled", false)
			.with("outbox.named.billing.jdbc.initialize-schema", "always")
			.with("outbox.named.billing.jdbc.table-prefix", "billing_")
			.with("outbox.named.billing.retry.max-attempts", 1)
			.with("outbox.named.billing.retry.on-exhausted", "dead-letter")
			.with("outbox.named.billing.rabbit.exchange", name);
	}

	private static CachingConnectionFactory connections(String host, int port, String username, String password) {
		CachingConnectionFactory factory = new CachingConnectionFactory(host, port);
		factory.setUsername(username);
		factory.setPassword(password);
		return factory;
	}

	private static Declarables topology(AmqpAdmin... admins) {
		TopicExchange exchange = new TopicExchange(name);
		Queue queue = new Queue(name);
		Declarables all = new Declarables(exchange, queue, BindingBuilder.bind(queue).to(exchange).with("#"));
		for (Declarable each : all.getDeclarables()) {
			((AbstractDeclarable) each).setAdminsThatShouldDeclare((Object[]) admins);
		}
		return all;
	}

	@OutboxMessage(value = "invoice.sent", outbox = "billing", ordered = false)
	record InvoiceSent(int number) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Early {

		@Bean
		Runnable invoices(@Qualifier("billing") Outbox billing) {
			return () -> billing.publish(new InvoiceSent(1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Topology {

		@Bean
		Declarables everything() {
			return topology();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoBrokers {

		@Bean(defaultCandidate = false)
		CachingConnectionFactory brokerOfInvoices(Environment environment) {
			return connections(environment.getRequiredProperty("spring.rabbitmq.host"),
					environment.getRequiredProperty("spring.rabbitmq.port", Integer.class),
					environment.getRequiredProperty("spring.rabbitmq.username"),
					environment.getRequiredProperty("spring.rabbitmq.password"));
		}

		@Bean(defaultCandidate = false)
		AmqpAdmin adminOfInvoices(@Qualifier("brokerOfInvoices") ConnectionFactory connections) {
			return new RabbitAdmin(connections);
		}

		@Bean
		Declarables everything(@Qualifier("adminOfInvoices") AmqpAdmin admin) {
			return topology(admin);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class QualifiedAdmin {

		@Bean(defaultCandidate = false)
		@Qualifier("billing")
		AmqpAdmin adminOfInvoices(ConnectionFactory connections) {
			return new RabbitAdmin(connections);
		}

		@Bean
		Declarables everything(@Qualifier("billing") AmqpAdmin admin) {
			return topology(admin);
		}

	}

}
