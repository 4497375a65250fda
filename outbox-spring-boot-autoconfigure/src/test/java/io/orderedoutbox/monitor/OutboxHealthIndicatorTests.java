/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the health of the outbox says, and when.
 */
class OutboxHealthIndicatorTests {

	@Test
	void itTellsOfAnOutageAndOfItsEndAndIsUpMeanwhile() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.brokerThrough(proxy)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			Health working = health(application);
			assertThat(working.getStatus()).isEqualTo(Status.UP);
			assertThat(working.getDetails()).containsEntry("relay", "running")
				.containsEntry("transport", "working")
				.doesNotContainKeys("outage", "outageSince", "thresholds");

			proxy.stop();
			application.publish(new OrderPlaced("a", 2));
			awaitTransport(application, "lost");
			assertThat(health(application).getStatus()).isEqualTo(Status.UP);
			assertThat(health(application).getDetails().get("outage").toString()).contains("RabbitMQ");
			assertThat(Instant.parse(health(application).getDetails().get("outageSince").toString()))
				.isBetween(Instant.now().minusSeconds(60), Instant.now());

			proxy.start();
			awaitTransport(application, "working");
			queue.await(2);
			application.bean(OutboxRelay.class).stop();
			assertThat(health(application).getDetails()).containsEntry("relay", "stopped");
		}
	}

	@Test
	void itShowsWhatWaitsAndWhenSomethingWasLastPublished() {
		Instant start = Instant.now();
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.retry.max-attempts", 1)
					.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderLost("a", 2), new OrderPlaced("a", 3));
			queue.await(1);
			awaitDetail(application, "blockedKeys", 1L);
			Health health = health(application);
			assertThat(health.getDetails()).containsEntry("depth", 2L)
				.containsEntry("lag", "PT0S")
				.containsEntry("stalledKeys", 0L)
				.containsEntry("stalledFor", "PT0S")
				.containsEntry("deadLetters", 0L)
				.containsEntry("schemaVersion", "2")
				.containsEntry("ordered", true);
			assertThat(Instant.parse(health.getDetails().get("lastSuccess").toString())).isBetween(start,
					Instant.now());
			assertThat(Duration.parse(health.getDetails().get("sampleAge").toString())).isBetween(Duration.ZERO,
					Duration.ofSeconds(30));
		}
	}

	@ParameterizedTest
	@CsvSource({ "block, DOWN, blocked keys is 1", "dead-letter, DOWN, dead letters is 1" })
	void whatWaitsForAnOperatorIsDownWithoutConfiguration(String onExhausted, String expected, String reason) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = WebClient.served(OutboxApplication.on(Servers.database().fresh()))
					.sendingTo(queue)
					.with("outbox.retry.max-attempts", 1)
					.with("outbox.retry.on-exhausted", onExhausted)
					.with("outbox.monitor.sample-interval", "1s")
					.with("management.endpoint.health.show-details", "always")
					.start()) {
			WebClient client = WebClient.of(application, "/actuator/health");
			assertThat(client.get("").json().path("status").asString()).isEqualTo("UP");
			application.publish(new OrderLost("a", 1), new OrderPlaced("b", 1));
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> client.get("").status() == 503);
			JsonNode outbox = client.get("/outbox").json();
			assertThat(outbox.path("status").asString()).isEqualTo(expected);
			assertThat(outbox.path("details").path("thresholds").toString()).contains(reason);
			for (String probe : List.of("/liveness", "/readiness")) {
				assertThat(client.get(probe).status()).as("no restart mends it").isEqualTo(200);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "2, 15m, UP", "20, 15m, DOWN", "20, 0s, UP", "20, 1h, UP", "70, 1h, DOWN" })
	void aKeyThatIsStalledForLongIsDown(int minutes, String threshold, String expected) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.health.stalled-threshold", threshold)
					.start()) {
			application.publish(new OrderLost("a", 1));
			awaitDetail(application, "stalledKeys", 1L);
			assertThat(health(application).getStatus()).as("it is tried again").isEqualTo(Status.UP);
			application.jdbc()
				.sql("UPDATE outbox_message SET available_at = TIMESTAMPADD(MINUTE, ?, UTC_TIMESTAMP(6))")
				.param(-minutes)
				.update();
			application.bean(BacklogSampler.class).sample();
			Health health = health(application);
			assertThat(health.getStatus().getCode()).isEqualTo(expected);
			assertThat(Duration.parse(health.getDetails().get("stalledFor").toString()).toMinutes()).isEqualTo(minutes);
		}
	}

	@ParameterizedTest
	@CsvSource({ "outbox.health.blocked-keys-threshold, 1, UP, up, blocked keys is 1",
			"outbox.health.blocked-keys-threshold, 0, UP, down, ''",
			"outbox.health.blocked-keys-threshold, 2, UP, down, ''",
			"outbox.health.blocked-keys-threshold, 1, DOWN, down, blocked keys is 1",
			"outbox.health.depth-threshold, 2, OUT_OF_SERVICE, out-of-service, depth is 2",
			"outbox.health.depth-threshold, 3, UP, up, ''", "outbox.health.lag-threshold, 1h, UP, up, ''" })
	void itIsDownOnlyByAThreshold(String property, String value, String expected, String status, String reason) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.retry.max-attempts", 1)
					.with(property, value)
					.with("outbox.health.status", status)
					.start()) {
			application.publish(new OrderLost("a", 1), new OrderPlaced("a", 2));
			awaitDetail(application, "blockedKeys", 1L);
			Health health = health(application);
			assertThat(health.getStatus().getCode()).isEqualTo(expected);
			assertThat(String.valueOf(health.getDetails().get("thresholds"))).contains(reason);
		}
	}

	@Test
	void anOutageThatLastsTooLongIsDown() {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.brokerThrough(proxy)
					.with("outbox.health.outage-threshold", "1s")
					.start()) {
			proxy.stop();
			application.publish(new OrderPlaced("a", 1));
			awaitTransport(application, "lost");
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> health(application).getStatus().equals(Status.DOWN));
			assertThat(health(application).getDetails().get("thresholds").toString()).contains("outage is");
		}
	}

	@Test
	void aPauseIsSeenAndIsNoOutage() {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.brokerThrough(proxy)
					.with("outbox.health.outage-threshold", "1s")
					.start()) {
			proxy.stop();
			application.publish(new OrderPlaced("a", 1));
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> health(application).getStatus().equals(Status.DOWN));
			application.bean(OutboxRelay.class).pause();
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> "paused".equals(health(application).getDetails().get("relay")));
			assertThat(health(application).getStatus()).isEqualTo(Status.UP);
			assertThat(health(application).getDetails()).containsEntry("transport", "unknown")
				.doesNotContainKeys("outage", "thresholds");
		}
	}

	@ParameterizedTest
	@CsvSource({ "outbox.health.lag-threshold, 1s, lag is", "outbox.health.depth-threshold, 1, depth is",
			"outbox.health.stalled-threshold, 1s, oldest stalled message is" })
	void aPauseThatNobodyEndsIsDownByWhatWaits(String property, String value, String reason) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.monitor.sample-interval", "1s")
					.with(property, value)
					.start()) {
			application.publish(new OrderLost("stalled", 1));
			awaitDetail(application, "stalledKeys", 1L);
			application.bean(OutboxRelay.class).pause();
			application.publish(new OrderPlaced("a", 1));
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> health(application).getStatus().equals(Status.DOWN));
			assertThat(health(application).getDetails()).containsEntry("relay", "paused");
			assertThat(health(application).getDetails().get("thresholds").toString()).contains(reason);
		}
	}

	@Test
	void itSaysThatItDoesNotKnow() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.with("outbox.monitor.sample-interval", "0s")
			.start()) {
			assertThat(health(application).getStatus()).isEqualTo(Status.UP);
			assertThat(health(application).getDetails()).containsEntry("depth", "unknown")
				.containsEntry("lag", "unknown")
				.containsEntry("sampleAge", "unknown")
				.containsEntry("deadLetters", "unknown")
				.containsEntry("lastSuccess", "unknown")
				.containsEntry("schemaVersion", "unknown");
		}
	}

	@Test
	void itHasNoSayInWhetherTheApplicationIsAlive() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.with("management.endpoint.health.probes.enabled", "true")
			.start()) {
			HealthEndpointGroups groups = application.bean(HealthEndpointGroups.class);
			assertThat(groups.getNames()).contains("liveness", "readiness");
			assertThat(groups.get("liveness").isMember("outbox")).isFalse();
			assertThat(groups.get("liveness").isMember("livenessState")).isTrue();
			assertThat(groups.get("readiness").isMember("outbox")).isFalse();
			assertThat(groups.getPrimary().isMember("outbox")).isTrue();
		}
	}

	@Test
	void itCanBeSwitchedOff() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.with("management.health.outbox.enabled", "false")
			.start()) {
			assertThat(application.context().getBeanNamesForType(OutboxHealthIndicator.class)).isEmpty();
		}
	}

	@Test
	void anInstanceThatOnlyWritesTellsOfNoRelay() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start()) {
			Health health = health(application);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("relay", "off").containsEntry("transport", "unknown");
		}
	}

	// Only the first of them are counted
	@ParameterizedTest
	@CsvSource({ "30000, 9999, DOWN", "30000, 10000, UP", "15000, 9999, UP" })
	void whereNotAllThatIsDelayedWasCountedTheDepthReachesNoThreshold(long depth, long delayed, String expected) {
		HealthThresholds thresholds = new HealthThresholds(Duration.ZERO, 20_000, 0, Duration.ZERO, 0, Duration.ZERO,
				HealthThresholds.Severity.DOWN);
		Backlog backlog = new Backlog(depth, Duration.ZERO, 0, 0, 0, Duration.ZERO, delayed);
		assertThat(thresholds.reached(backlog, null)).hasSize(expected.equals("DOWN") ? 1 : 0);
	}

	private static void awaitDetail(OutboxApplication application, String detail, Object value) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
			application.bean(BacklogSampler.class).sample();
			return value.equals(health(application).getDetails().get(detail));
		});
	}

	private static void awaitTransport(OutboxApplication application, String state) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> state.equals(health(application).getDetails().get("transport")));
	}

	private static Health health(OutboxApplication application) {
		return application.bean(OutboxHealthIndicator.class).health(true);
	}

}
