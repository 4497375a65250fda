/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.time.Duration;

import io.micrometer.core.instrument.MeterRegistry;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.monitor.BacklogSampler;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what operators see of an application with two outboxes.
 */
@ExtendWith(OutputCaptureExtension.class)
class NamedOutboxOperationsTests {

	private final TestQueue orders = TestQueue.forEverything();

	private final TestQueue invoices = TestQueue.forEverything();

	@AfterEach
	void close() {
		this.orders.close();
		this.invoices.close();
	}

	@Test
	void theEndpointAsksTheOutboxThatAParameterNames() {
		try (OutboxApplication application = served().with("management.endpoints.web.exposure.include", "outbox")
			.with("management.endpoint.outbox.access", "unrestricted")
			.with("outbox.named.billing.relay.workers", 3)
			.start()) {
			WebClient client = WebClient.of(application, "/actuator/outbox");
			assertThat(client.get("/outboxes").body()).isEqualTo("[\"default\",\"billing\"]");
			assertThat(client.post("/pause", "{\"outbox\":\"billing\"}").status()).isEqualTo(200);
			Awaitility.await()
				.until(() -> client.get("?outbox=billing").json().at("/relay/state").asString().equals("paused"));
			application.publish(new InvoiceSent(7), new OrderPlaced("a", 1));
			this.orders.await(1);
			assertThat(client.get("").json().at("/relay/state").asString()).isEqualTo("running");
			assertThat(client.get("/messages?state=pending&outbox=billing").body()).contains("invoice.sent")
				.doesNotContain("order.placed");
			assertThat(client.get("/configuration?outbox=billing").body())
				.contains("\"outbox.named.billing.relay.workers\":\"3\"");
			assertThat(client.get("/configuration?outbox=default").body()).contains("\"outbox.relay.workers\":\"2\"");
			assertThat(client.get("?outbox=shipping").status()).isEqualTo(404);
			assertThat(client.get("?outbox=shipping").body()).contains("default, billing");
			client.post("/resume", "{\"outbox\":\"billing\"}");
			this.invoices.await(1);
		}
	}

	@Test
	void withoutADefaultTheOnlyOneIsAskedAndOneOfSeveralMustBeNamed() {
		try (OutboxApplication application = served().with("management.endpoints.web.exposure.include", "outbox")
			.with("outbox.enabled", false)
			.start()) {
			assertThat(WebClient.of(application, "/actuator/outbox").get("/configuration").body())
				.contains("outbox.named.billing.relay.workers");
		}
		try (OutboxApplication application = served().with("management.endpoints.web.exposure.include", "outbox")
			.with("outbox.enabled", false)
			.with("outbox.named.shipping.jdbc.initialize-schema", "always")
			.with("outbox.named.shipping.jdbc.table-prefix", "shipping_")
			.start()) {
			WebClient.Reply reply = WebClient.of(application, "/actuator/outbox").get("");
			assertThat(reply.status()).isEqualTo(400);
			assertThat(reply.body()).contains("outbox=billing or outbox=shipping");
		}
	}

	@Test
	void metersAreTaggedWithTheNameOfTheirOutbox() {
		try (OutboxApplication application = application().start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1), new InvoiceSent(2));
			this.orders.await(1);
			this.invoices.await(2);
			MeterRegistry registry = application.bean(MeterRegistry.class);
			Awaitility.await().untilAsserted(() -> {
				assertThat(published(registry, "default")).isOne();
				assertThat(published(registry, "billing")).isEqualTo(2);
			});
			assertThat(registry.get("outbox.relay.workers").tag("outbox", "billing").gauges()).isNotEmpty();
			assertThat(registry.get("outbox.message.publish").tag("outbox", "billing").timer().count()).isEqualTo(2);
			assertThat(registry.get("outbox.message.publish").tag("outbox", "default").timer().count()).isOne();
			assertThat(registry.get("outbox.message.relay").tag("outbox", "billing").timer().count()).isEqualTo(2);
			assertThat(registry.getMeters()).filteredOn((meter) -> meter.getId().getName().startsWith("outbox."))
				.allMatch((meter) -> meter.getId().getTag("outbox") != null);
		}
	}

	@Test
	void prometheusGetsTheMetersOfBoth() {
		try (OutboxApplication application = served().with("management.endpoints.web.exposure.include", "prometheus")
			.start()) {
			application.bean(BacklogSampler.class).sample();
			assertThat(WebClient.of(application, "/actuator/prometheus").get("").body())
				.contains("outbox_depth_messages{outbox=\"default\"}", "outbox_depth_messages{outbox=\"billing\"}");
		}
	}

	@Test
	void oneIsDownWithItsBrokerAndTheOtherGoesOn() {
		try (OutboxApplication application = served().with("management.endpoints.web.exposure.include", "health")
			.with("management.endpoint.health.show-details", "always")
			.with(BrokerOfBilling.class)
			.with("outbox.named.billing.connection-factory", "brokerOfBilling")
			.with("outbox.named.billing.health.outage-threshold", "100ms")
			.start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1));
			this.orders.await(1);
			WebClient client = WebClient.of(application, "/actuator/health/outbox");
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> client.get("").json().at("/components/billing/status").asString().equals("DOWN"));
			assertThat(client.get("").status()).isEqualTo(503);
			assertThat(client.get("").json().at("/components/default/status").asString()).isEqualTo("UP");
		}
	}

	@Test
	void whatANamedOutboxDoesNotReadIsToldByItsWrittenName(CapturedOutput output) {
		application().withoutRelay()
			.with("outbox.named.billing.relay.mode", "off")
			.with("outbox.named.billing.relay.wrkers", "2")
			.with("outbox.named.billing.terminal.enabled", "true")
			.with("outbox.named.billing.event-packages[0]", "com.example")
			.start()
			.close();
		assertThat(output).contains("does not read the property 'outbox.named.billing.relay.wrkers'")
			.contains("Was 'outbox.named.billing.relay.workers' meant?")
			.contains("does not read the property 'outbox.named.billing.terminal.enabled'")
			.doesNotContain("event-packages", "eventpackages");
	}

	private static double published(MeterRegistry registry, String outbox) {
		return registry.get("outbox.messages.published").tag("outbox", outbox).counter().count();
	}

	private Builder served() {
		return WebClient.served(application());
	}

	private Builder application() {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(this.orders)
			.with("outbox.named.billing.jdbc.initialize-schema", "always")
			.with("outbox.named.billing.jdbc.table-prefix", "billing_")
			.with("outbox.named.billing.rabbit.exchange", this.invoices.exchange());
	}

	@OutboxMessage(value = "invoice.sent", outbox = "billing")
	record InvoiceSent(int number) {

	}

	@Configuration(proxyBeanMethods = false)
	static class BrokerOfBilling {

		@Bean(defaultCandidate = false)
		CachingConnectionFactory brokerOfBilling() {
			return new CachingConnectionFactory("localhost", 1);
		}

	}

}
