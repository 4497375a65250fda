/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Duration;
import java.time.Instant;

import io.micrometer.core.instrument.MeterRegistry;
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

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

/**
 * The Actuator endpoint of the inbox, asked over HTTP, in applications without an outbox.
 */
@RequiresRabbitMq
@Timeout(90)
class InboxEndpointTests {

	private static final String ENDPOINT = "/actuator/inbox";

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
	void itTellsWhatHasBecomeOfTheMessagesOfEachConsumer() throws Exception {
		Instant start = Instant.now();
		try (OutboxApplication application = this.consumer.application().with(ShardedConsumer.Listener.class).start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.get("").json().path("consumers")).isEmpty();
			for (int copy = 0; copy < 4; copy++) {
				this.consumer.publish(0, "m1", "a");
				this.consumer.publish(0, null, "b");
			}
			this.consumer.publish(0, "m2", "fail");
			Awaitility.await().until(() -> {
				JsonNode counts = client.get("").json().path("consumers").path(0);
				return counts.path("rejected").asInt() == 4 && counts.path("processed").asInt() == 2;
			});
			JsonNode inbox = client.get("").json();
			assertThat(inbox.path("consumers")).hasSize(1);
			JsonNode billing = inbox.path("consumers").path(0);
			assertThat(billing.path("name").asString()).isEqualTo("billing");
			assertThat(billing.path("duplicates").asInt()).isEqualTo(3);
			assertThat(billing.path("failed").asInt()).isOne();
			assertThat(Instant.parse(billing.path("lastDelivery").asString())).isBetween(start, Instant.now());
		}
	}

	@Test
	void itTellsWhatWaitsInEachQueueAndWhatThisInstanceWasHanded() throws Exception {
		Instant start = Instant.now();
		this.consumer.application().start().close();
		this.consumer.publish(1, "m1", "a");
		try (OutboxApplication application = this.consumer.application().start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			Awaitility.await().until(() -> shard(client, 1).path("messages").asInt() == 1);
			assertThat(shard(client, 1).path("state").asString()).isEqualTo("unattended");
			assertThat(shard(client, 1).path("consumers").asInt()).isZero();
			assertThat(shard(client, 1).path("unattendedMillis").asLong()).isNotNegative();
			assertThat(shard(client, 1).has("lastDeliveryHere")).isFalse();
			assertThat(client.get("").json().path("sampleAgeMillis").asLong(-1)).isBetween(0L, 30_000L);
		}
		try (OutboxApplication application = this.consumer.application().with(ShardedConsumer.Listener.class).start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			Awaitility.await().until(() -> shard(client, 1).has("lastDeliveryHere"));
			Awaitility.await().until(() -> shard(client, 1).path("consumers").asInt() == 1);
			assertThat(Instant.parse(shard(client, 1).path("lastDeliveryHere").asString())).isBetween(start,
					Instant.now());
			assertThat(shard(client, 1).path("state").asString()).isEqualTo("attended");
			assertThat(shard(client, 0).path("queue").asString()).isEqualTo(this.consumer.queues().get(0));
			assertThat(shard(client, 0).has("lastDeliveryHere")).isFalse();
			assertThat(shard(client, 0).path("heldKeys").asInt(-1)).isZero();
		}
	}

	private static JsonNode shard(WebClient client, int index) {
		return client.get("").json().path("shards").path(index);
	}

	@Test
	void whatIsHeldBackIsTheSumOfWhatAllBeansTell() {
		try (OutboxApplication application = this.consumer.application().with(ShardedConsumer.Retrying.class).start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(shard(client, 0).path("heldKeys").asInt()).isEqualTo(3);
			assertThat(shard(client, 0).path("heldMessages").asInt()).isEqualTo(6);
			assertThat(shard(client, 0).path("retried").asInt()).isEqualTo(8);
			assertThat(shard(client, 0).path("deadLettered").asInt()).isEqualTo(2);
			assertThat(shard(client, 1).path("heldKeys").asInt(-1)).isZero();
		}
	}

	@Test
	void itTellsTheSettingsThatAreInEffect() {
		try (OutboxApplication application = this.consumer.application()
			.with("outbox.inbox.retention", "14d")
			.start()) {
			JsonNode settings = WebClient.of(application, ENDPOINT).get("").json().path("settings");
			assertThat(settings.path("outbox.inbox.retention").asString()).isEqualTo("14d");
			assertThat(settings.path("outbox.inbox.without-id").asString()).isEqualTo("reject");
			assertThat(settings.path("outbox.rabbit.shards.count").asString()).isEqualTo("2");
		}
	}

	@Test
	void queuesThatAreABeanAloneAreSeenAsWell() throws Exception {
		try (OutboxApplication application = this.consumer.applicationWithABean().start()) {
			this.consumer.publish(1, "m1", "a");
			WebClient client = WebClient.of(application, ENDPOINT);
			Awaitility.await().until(() -> shard(client, 1).path("messages").asInt() == 1);
			assertThat(client.get("").json().path("settings").has("outbox.rabbit.shards.count")).isFalse();
			assertThat(application.bean(MeterRegistry.class)
				.get("outbox.inbox.shard.messages")
				.tag("queue", this.consumer.queues().get(1))
				.gauge()
				.value()).isOne();
			assertThat(WebClient.of(application, "/actuator/health")
				.get("/inbox")
				.json()
				.path("details")
				.path("shards")
				.path(this.consumer.queues().get(1))
				.path("state")
				.asString()).isEqualTo("unattended");
		}
	}

	@Test
	void withoutTheBrokerItAnswersAtOnceThatTheQueuesAreUnknown() {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = this.consumer.application().brokerThrough(proxy).start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			Awaitility.await().until(() -> shard(client, 0).path("state").asString().equals("idle"));
			proxy.holdReplies();
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> assertTimeout(Duration.ofSeconds(2), () -> shard(client, 0)).path("state")
					.asString()
					.equals("unknown"));
			assertThat(shard(client, 0).has("messages")).isFalse();
			assertThat(client.get("").json().has("sampleAgeMillis")).isFalse();
			proxy.thaw();
		}
	}

	@Test
	void itOnlyReads() {
		try (OutboxApplication application = this.consumer.application().start()) {
			assertThat(WebClient.of(application, ENDPOINT).post("", "{}").status()).isEqualTo(405);
		}
	}

	@Test
	void itIsNotThereUntilItIsExposedNorWithoutInboxAndShards() {
		try (OutboxApplication application = this.consumer.application()
			.with("management.endpoints.web.exposure.include", "health")
			.start()) {
			assertThat(WebClient.of(application, ENDPOINT).get("").status()).isEqualTo(404);
			assertThat(application.context().getBeanNamesForType(InboxEndpoint.class)).isEmpty();
		}
		try (OutboxApplication application = WebClient.served(OutboxApplication.on(Servers.database().fresh()))
			.withoutRelay()
			.with("management.endpoints.web.exposure.include", "*")
			.start()) {
			assertThat(WebClient.of(application, ENDPOINT).get("").status()).isEqualTo(404);
			assertThat(application.context().getBeanNamesForType(InboxConsole.class)).isEmpty();
		}
	}

	@Test
	void anotherEndpointMayHaveTheId() {
		try (OutboxApplication application = this.consumer.application().with(OtherEndpoint.class).start()) {
			assertThat(WebClient.of(application, ENDPOINT).get("").json().path("mine").asBoolean()).isTrue();
			assertThat(WebClient.of(application, "/actuator/orderedinbox").get("").json().path("shards")).hasSize(2);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class OtherEndpoint {

		@Bean
		Other inboxOfTheTest() {
			return new Other();
		}

	}

	@Endpoint(id = "inbox")
	static class Other {

		@ReadOperation
		public Answering read() {
			return new Answering(true);
		}

	}

	record Answering(boolean mine) {

	}

}
