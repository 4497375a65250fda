/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application, or another library in it, that has named its own parts as one would
 * name those of an outbox.
 */
class TakenNamesTests {

	@Test
	void beansOfTheApplicationMayHaveTheseNames() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).with(Beans.class).start()) {
			application.publish(new OrderPlaced("a", 1));
			application.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 2)));
			queue.await(2);
			assertThat(application.context().getBean("outbox")).isEqualTo("of the application");
			assertThat(application.context().getBeanNamesForType(Outbox.class)).containsExactly("orderedOutbox");
		}
	}

	@Test
	void noBeanOfTheLibraryHasANameThatOthersMayChoose() {
		try (OutboxApplication application = application().with("outbox.monitor.enabled", "true")
			.with("outbox.archive.enabled", "true")
			.with("outbox.terminal.enabled", "true")
			.with("outbox.relay.pool-size", "3")
			.with("management.endpoints.web.exposure.include", "*")
			.start()) {
			// Those that an application replaces by their name
			assertThat(application.context().getBeanDefinitionNames())
				.filteredOn((name) -> name.startsWith("outbox") && !name.contains("."))
				.containsExactlyInAnyOrder("outboxRabbitConnectionFactory", "outboxHealthIndicator",
						"outboxMonitorRoutes");
		}
	}

	@Test
	void anotherEndpointMayHaveTheId() {
		try (OutboxApplication application = application().withoutRelay()
			.with("management.endpoints.web.exposure.include", "*")
			.with(OtherEndpoint.class)
			.start()) {
			application.publish(new OrderPlaced("a", 1));
			assertThat(WebClient.of(application, "/actuator/outbox").get("").json().path("mine").asBoolean()).isTrue();
			WebClient ours = WebClient.of(application, "/actuator/orderedoutbox");
			assertThat(ours.get("").json().path("backlog").path("count").asInt()).isOne();
			assertThat(ours.post("/retry", "{\"all\":true}").status()).isEqualTo(405);
		}
	}

	@Test
	void theEndpointUnderTheOtherIdActsWhenThatIsAllowed() {
		try (OutboxApplication application = application().withoutRelay()
			.with("management.endpoints.web.exposure.include", "orderedoutbox")
			.with("management.endpoint.orderedoutbox.access", "unrestricted")
			.with(OtherEndpoint.class)
			.start()) {
			assertThat(WebClient.of(application, "/actuator/orderedoutbox").post("/retry", "{\"all\":true}").status())
				.isEqualTo(200);
		}
	}

	private static Builder application() {
		return WebClient.served(OutboxApplication.on(Servers.database().fresh()));
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		String outbox() {
			return "of the application";
		}

		@Bean
		String outboxRelay() {
			return "of the application";
		}

		@Bean
		String outboxStore() {
			return "of the application";
		}

		@Bean
		String outboxPayloadSerializer() {
			return "of the application";
		}

		@Bean
		String outboxDatabase() {
			return "of the application";
		}

		@Bean
		String outboxMessageSender() {
			return "of the application";
		}

		@Bean
		String outboxSchemaInitializer() {
			return "of the application";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherEndpoint {

		@Bean
		Other outboxActuatorEndpoint() {
			return new Other();
		}

	}

	@Endpoint(id = "outbox")
	static class Other {

		@ReadOperation
		public Answering read() {
			return new Answering(true);
		}

	}

	record Answering(boolean mine) {

	}

}
