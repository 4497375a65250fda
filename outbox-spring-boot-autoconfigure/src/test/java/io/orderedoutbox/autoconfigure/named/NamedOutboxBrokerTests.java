/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an outbox whose relay has a broker connection of its own, beside one that
 * takes that of the application.
 */
class NamedOutboxBrokerTests {

	private final TestQueue orders = TestQueue.forEverything();

	private final TestQueue invoices = TestQueue.forEverything();

	@AfterEach
	void close() {
		this.orders.close();
		this.invoices.close();
	}

	@ParameterizedTest
	@EnumSource
	void messagesOfOneGoThroughItsOwnConnectionAndWaitForItAlone(Choice choice) {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = choice.in(application())
					.with("broker-of-billing.host", proxy.host())
					.with("broker-of-billing.port", proxy.port())
					.start()) {
			OutboxRelay relay = application.bean(NamedOutbox.class).beans().getBean(OutboxRelay.class);
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1));
			this.orders.await(1);
			this.invoices.await(1);
			Awaitility.await().until(() -> invoicesThatWait(application) == 0);
			assertThat(proxy.accepted()).isPositive();
			proxy.stop();
			application.publish(new OrderPlaced("a", 2), new InvoiceSent(2));
			this.orders.await(2);
			Awaitility.await().until(() -> relay.status().outage() != null);
			application.publish(new OrderPlaced("a", 3));
			this.orders.await(3);
			application.awaitEmpty();
			assertThat(application.bean(OutboxRelay.class).status().outage()).isNull();
			assertThat(invoicesThatWait(application)).isOne();
			assertThat(this.invoices.arrivals()).hasSize(1);
			proxy.start();
			assertThat(this.invoices.await(2)).allMatch((arrival) -> arrival.routingKey().equals("invoice.sent"));
		}
	}

	private static long invoicesThatWait(OutboxApplication application) {
		return application.jdbc().sql("SELECT COUNT(*) FROM billing_message").query(Long.class).single();
	}

	private Builder application() {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(this.orders)
			.with("outbox.named.billing.jdbc.initialize-schema", "always")
			.with("outbox.named.billing.jdbc.table-prefix", "billing_")
			.with("outbox.named.billing.rabbit.exchange", this.invoices.exchange());
	}

	/**
	 * How an application says which connection factory is that of {@code billing}.
	 */
	enum Choice {

		BY_PROPERTY {

			@Override
			Builder in(Builder builder) {
				return builder.with(NamedByAProperty.class)
					.with("outbox.named.billing.connection-factory", "brokerOfInvoices");
			}

		},

		BY_QUALIFIER {

			@Override
			Builder in(Builder builder) {
				return builder.with(Qualified.class);
			}

		},

		BY_NAME_OF_THE_BEAN {

			@Override
			Builder in(Builder builder) {
				return builder.with(OfThatName.class);
			}

		};

		abstract Builder in(Builder builder);

	}

	@OutboxMessage(value = "invoice.sent", outbox = "billing")
	record InvoiceSent(int number) {

	}

	@Configuration(proxyBeanMethods = false)
	static class NamedByAProperty {

		@Bean(defaultCandidate = false)
		CachingConnectionFactory brokerOfInvoices(Environment environment) {
			return through(environment);
		}

		static CachingConnectionFactory through(Environment environment) {
			CachingConnectionFactory factory = new CachingConnectionFactory(
					environment.getRequiredProperty("broker-of-billing.host"),
					environment.getRequiredProperty("broker-of-billing.port", Integer.class));
			factory.setUsername(environment.getRequiredProperty("spring.rabbitmq.username"));
			factory.setPassword(environment.getRequiredProperty("spring.rabbitmq.password"));
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Qualified {

		@Bean(defaultCandidate = false)
		@Qualifier("billing")
		CachingConnectionFactory brokerOfInvoices(Environment environment) {
			return NamedByAProperty.through(environment);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfThatName {

		@Bean(defaultCandidate = false)
		CachingConnectionFactory billing(Environment environment) {
			return NamedByAProperty.through(environment);
		}

	}

}
