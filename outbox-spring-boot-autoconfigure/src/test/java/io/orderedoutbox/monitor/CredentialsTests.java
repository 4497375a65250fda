/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.function.Consumer;

import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A password that a server refuses is in no line of the log, whatever its level, and in
 * no answer of endpoint, health and page, all of which tell why the relay cannot work.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("thorough")
class CredentialsTests {

	private static final String SECRET = "open-sesame-93";

	private final Builder application = WebClient.served(OutboxApplication.on(Servers.database().fresh()))
		.with("management.endpoints.web.exposure.include", "outbox,health,metrics")
		.with("management.endpoint.health.show-details", "always")
		.with("outbox.monitor.enabled", "true")
		.with("logging.level.io.orderedoutbox", "trace");

	@Test
	void thatOfTheBrokerIsNowhere(CapturedOutput output) {
		this.application.with("spring.rabbitmq.username", "clerk").with("spring.rabbitmq.password", SECRET);
		assertIsNowhere(output, (running) -> running.publish(new OrderPlaced("a", 1)));
	}

	// The embedded database lets everybody in
	@RequiresMySql
	@ParameterizedTest
	@ValueSource(strings = { "spring.datasource.password", "spring.datasource.hikari.data-source-properties.password" })
	void thatOfTheDatabaseIsNowhere(String property, CapturedOutput output) {
		this.application.with("spring.datasource.password", "")
			.with(property, SECRET)
			.with("spring.datasource.hikari.connection-timeout", "1000")
			.with("outbox.jdbc.initialize-schema", "never");
		assertIsNowhere(output, (running) -> {
		});
	}

	private void assertIsNowhere(CapturedOutput output, Consumer<OutboxApplication> use) {
		try (OutboxApplication running = this.application.start()) {
			use.accept(running);
			WebClient client = WebClient.of(running, "").asPage();
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(
						() -> assertThat(client.get("/actuator/health").body()).contains("refuses the connection"));
			for (String path : new String[] { "/actuator/health", "/actuator/outbox", "/actuator/outbox/messages",
					"/actuator/outbox/groups", "/actuator/outbox/audit", "/actuator/outbox/instances",
					"/actuator/outbox/configuration", "/actuator/metrics", "/outbox/api/overview",
					"/outbox/api/instances" }) {
				assertThat(client.get(path).body()).as(path).isNotBlank().doesNotContain(SECRET);
			}
		}
		assertThat(output).contains("The relay cannot work: ", "refuses the connection").doesNotContain(SECRET);
	}

}
