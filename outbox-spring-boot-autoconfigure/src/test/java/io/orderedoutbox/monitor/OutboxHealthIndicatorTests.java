package io.orderedoutbox.monitor;

import java.time.Duration;

import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

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
				.doesNotContainKey("outage");

			proxy.stop();
			application.publish(new OrderPlaced("a", 2));
			awaitTransport(application, "lost");
			assertThat(health(application).getStatus()).isEqualTo(Status.UP);
			assertThat(health(application).getDetails().get("outage").toString()).contains("RabbitMQ");

			proxy.start();
			awaitTransport(application, "working");
			queue.await(2);
			application.bean(OutboxRelay.class).stop();
			assertThat(health(application).getDetails()).containsEntry("relay", "stopped");
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
	void anInstanceThatOnlyWritesHasNone() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start()) {
			assertThat(application.context().getBeanNamesForType(OutboxHealthIndicator.class)).isEmpty();
		}
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
