/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;

import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.monitor.console.WebClient.Reply;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayState;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operator pauses the relays of all instances, and lets them go on.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(90)
class CommonPauseTests {

	private final Database database = Servers.database().fresh();

	@Test
	void allInstancesArePausedAlsoThoseThatStartLaterAndGoOnTogether(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication one = application("1s").sendingTo(queue).start();
				OutboxApplication other = application("1s").sendingTo(queue).start();
				OutboxApplication writer = served("1s").withoutRelay().start()) {
			WebClient client = WebClient.of(writer, "/actuator/outbox");
			assertThat(client.get("").json().path("allPaused").asBoolean()).isFalse();
			assertThat(client.post("/pause", "{\"all\":true}").status()).isEqualTo(200);
			assertThat(client.get("").json().path("allPaused").asBoolean()).isTrue();
			await(one, RelayState.PAUSED);
			await(other, RelayState.PAUSED);
			try (OutboxApplication later = application("1s").sendingTo(queue).start()) {
				await(later, RelayState.PAUSED);
				one.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
				Awaitility.await().during(Duration.ofSeconds(2)).until(() -> queue.arrivals().isEmpty());
				assertThat(client.post("/resume", "{\"all\":true}").status()).isEqualTo(200);
				await(later, RelayState.RUNNING);
			}
			await(one, RelayState.RUNNING);
			await(other, RelayState.RUNNING);
			assertThat(client.get("").json().path("allPaused").asBoolean()).isFalse();
			queue.await(2);
			assertThat(output).containsOnlyOnce("The outbox relays of all instances are paused")
				.containsOnlyOnce("The outbox relays of all instances are resumed");
		}
	}

	@Test
	void anInstanceThatIsPausedByItselfStaysSo() {
		try (OutboxApplication application = served("1s").start()) {
			WebClient client = WebClient.of(application, "/actuator/outbox");
			assertThat(client.post("/pause", "{}").status()).isEqualTo(200);
			assertThat(client.post("/pause", "{\"all\":true}").json().path("state").asString()).startsWith("paus");
			assertThat(client.post("/resume", "{\"all\":true}").json().path("state").asString()).startsWith("paus");
			await(application, RelayState.PAUSED);
			client.post("/pause", "{\"all\":true}");
			Reply alone = client.post("/resume", "{}");
			assertThat(alone.status()).isEqualTo(409);
			assertThat(alone.json().path("problem").asString())
				.isEqualTo("All instances are paused: resume all of them");
			assertThat(client.post("/resume", "{\"all\":true}").json().path("state").asString()).isEqualTo("paused");
			assertThat(client.post("/resume", "{}").json().path("state").asString()).isEqualTo("running");
		}
	}

	@Test
	void whereInstancesDoNotAskNobodyPretendsThatTheyArePaused() {
		try (OutboxApplication silent = served("0s").start(); OutboxApplication old = served("1s").start()) {
			Reply reply = WebClient.of(silent, "/actuator/outbox").post("/pause", "{\"all\":true}");
			assertThat(reply.status()).isEqualTo(409);
			assertThat(reply.json().path("problem").asString()).contains("heartbeat-interval");
			old.jdbc().sql("DROP TABLE outbox_pause").update();
			WebClient client = WebClient.of(old, "/actuator/outbox");
			Reply missing = client.post("/pause", "{\"all\":true}");
			assertThat(missing.status()).isEqualTo(409);
			assertThat(missing.json().path("problem").asString()).contains("'outbox_pause', which is missing");
			assertThat(client.get("").json().path("allPaused").asBoolean()).isFalse();
			assertThat(old.bean(OutboxRelay.class).state()).isEqualTo(RelayState.RUNNING);
		}
	}

	private Builder served(String heartbeat) {
		return WebClient.served(application(heartbeat))
			.with("management.endpoints.web.exposure.include", "outbox")
			.with("management.endpoint.outbox.access", "unrestricted");
	}

	private Builder application(String heartbeat) {
		return OutboxApplication.on(this.database).with("outbox.monitor.heartbeat-interval", heartbeat);
	}

	private static void await(OutboxApplication application, RelayState state) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> application.bean(OutboxRelay.class).state() == state);
	}

}
