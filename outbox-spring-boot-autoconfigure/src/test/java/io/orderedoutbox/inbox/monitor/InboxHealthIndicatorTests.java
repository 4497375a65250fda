/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.inbox.shard.ShardSampler;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What the health of the inbox says, and when, in applications without an outbox.
 */
@RequiresRabbitMq
@Timeout(90)
class InboxHealthIndicatorTests {

	private ShardedConsumer consumer;

	@BeforeEach
	void connect() throws Exception {
		this.consumer = new ShardedConsumer();
	}

	@AfterEach
	void close() throws Exception {
		this.consumer.close();
	}

	@Test
	void messagesThatNobodyConsumesAreDownAfterAWhile() throws Exception {
		try (OutboxApplication application = this.consumer.application()
			.with("outbox.inbox.health-threshold", "2s")
			.start()) {
			WebClient client = client(application);
			awaitShard(client, "idle");
			assertThat(status(client)).isEqualTo("UP");
			this.consumer.publish(0, "m1", "a");
			awaitShard(client, "unattended");
			assertThat(status(client)).as("a moment without a consumer").isEqualTo("UP");
			awaitStatus(client, "DOWN");
			JsonNode details = client.get("/inbox").json().path("details");
			assertThat(details.path("thresholds").toString())
				.contains("queue '%s' has 1 message(s) and no consumer".formatted(this.consumer.queues().get(0)));
			assertThat(details.path("shards").path(this.consumer.queues().get(0)).path("messages").asInt()).isOne();
			for (String probe : List.of("/liveness", "/readiness")) {
				assertThat(client.get(probe).status()).as("no restart mends it").isEqualTo(200);
			}
			try (OutboxApplication another = this.consumer.application().with(ShardedConsumer.Listener.class).start()) {
				assertThat(another.context().isRunning()).isTrue();
				awaitStatus(client, "UP");
				assertThat(client.get("/inbox").json().path("details").has("thresholds")).isFalse();
			}
		}
	}

	@Test
	void aQueueThatIsMissingIsDownAfterAWhile() throws Exception {
		try (OutboxApplication application = this.consumer.application()
			.with("outbox.inbox.health-threshold", "1s")
			.start()) {
			this.consumer.delete(this.consumer.queues().get(1));
			WebClient client = client(application);
			awaitStatus(client, "DOWN");
			assertThat(client.get("/inbox").json().path("details").path("thresholds").toString())
				.contains("queue '%s' is missing".formatted(this.consumer.queues().get(1)));
		}
	}

	@Test
	void recordsThatCannotBeRemovedAreDownAfterAWhile() {
		try (OutboxApplication application = this.consumer.application()
			.with("outbox.inbox.health-threshold", "1s")
			.with("outbox.inbox.purge-interval", "1s")
			.start()) {
			WebClient client = client(application);
			assertThat(client.get("/inbox").json().path("details").path("purge").asString()).isEqualTo("working");
			application.jdbc().sql("ALTER TABLE inbox_message RENAME TO inbox_gone").update();
			awaitStatus(client, "DOWN");
			JsonNode details = client.get("/inbox").json().path("details");
			assertThat(details.path("purge").asString()).isEqualTo("failing");
			assertThat(details.path("thresholds").toString()).contains("old records cannot be removed");
			application.jdbc().sql("ALTER TABLE inbox_gone RENAME TO inbox_message").update();
			awaitStatus(client, "UP");
		}
	}

	@Test
	void aBrokerThatIsAwayIsUnknownAndUp() throws Exception {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = this.consumer.application()
					.brokerThrough(proxy)
					.with("outbox.inbox.health-threshold", "1s")
					.start()) {
			WebClient client = client(application);
			this.consumer.publish(0, "m1", "a");
			awaitStatus(client, "DOWN");
			proxy.stop();
			awaitShard(client, "unknown");
			assertThat(status(client)).isEqualTo("UP");
			assertThat(client.get("/inbox").json().path("details").path("sampleAge").asString()).isEqualTo("unknown");
		}
	}

	@Test
	void withoutAThresholdItIsUp() throws Exception {
		try (OutboxApplication application = this.consumer.application()
			.with("outbox.inbox.health-threshold", "0s")
			.start()) {
			this.consumer.publish(0, "m1", "a");
			WebClient client = client(application);
			awaitShard(client, "unattended");
			Awaitility.await()
				.until(() -> application.bean(ShardSampler.class)
					.current()
					.get(0)
					.unattended()
					.compareTo(Duration.ofSeconds(1)) > 0);
			assertThat(status(client)).isEqualTo("UP");
		}
	}

	@Test
	void aNegativeThresholdIsRefused() {
		assertThatException()
			.isThrownBy(() -> this.consumer.application().with("outbox.inbox.health-threshold", "-1s").start().close())
			.havingRootCause()
			.withMessage("'outbox.inbox.health-threshold' must not be negative, but is -1s");
	}

	@Test
	void itTellsOfWhatThereIs() {
		try (OutboxApplication application = this.consumer.application().with("outbox.inbox.enabled", false).start()) {
			JsonNode details = client(application).get("/inbox").json().path("details");
			assertThat(details.has("shards")).isTrue();
			assertThat(details.has("purge")).isFalse();
		}
		try (OutboxApplication application = WebClient.served(OutboxApplication.on(Servers.database().fresh()))
			.withInboxAlone()
			.with("management.endpoint.health.show-details", "always")
			.start()) {
			JsonNode details = client(application).get("/inbox").json().path("details");
			assertThat(details.has("shards")).isFalse();
			assertThat(details.path("purge").asString()).isEqualTo("working");
			assertThat(application.bean(ShardSampler.class).isRunning()).as("nobody asks the broker").isFalse();
		}
	}

	@Test
	void itCanBeSwitchedOff() {
		try (OutboxApplication application = this.consumer.application()
			.with("management.health.inbox.enabled", false)
			.start()) {
			assertThat(client(application).get("/inbox").status()).isEqualTo(404);
		}
	}

	private static WebClient client(OutboxApplication application) {
		return WebClient.of(application, "/actuator/health");
	}

	private static String status(WebClient client) {
		return client.get("/inbox").json().path("status").asString();
	}

	private static void awaitStatus(WebClient client, String status) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> status(client).equals(status));
	}

	private void awaitShard(WebClient client, String state) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> client.get("/inbox")
				.json()
				.path("details")
				.path("shards")
				.path(this.consumer.queues().get(0))
				.path("state")
				.asString("")
				.equals(state));
	}

}
