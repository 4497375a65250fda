/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.orderedoutbox.DelayStamp;
import io.orderedoutbox.DeliverAtStamp;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.monitor.OutboxHealthIndicator;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Events that are published with a delay, from the call to the queue.
 */
@Tag("order")
class DelayedPublicationTests {

	private static final Duration DELAY = Duration.ofMillis(1_500);

	@Test
	void itArrivesAtItsTimeAndWhatIsBehindItInItsKeyArrivesAfterIt() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.relay.poll-interval", "20ms")
					.start()) {
			long begun = System.nanoTime();
			application.publish(OutboxEnvelope.of(new OrderPlaced("a", 1), DelayStamp.of(DELAY)));
			application.publish(new OrderPlaced("a", 2), new OrderPlaced("b", 3));
			application.inTransaction((outbox) -> {
				outbox.publish(new OrderPlaced("a", 4), PartitionKeyStamp.none(), DeliverAtStamp.of(Instant.EPOCH));
				outbox.publish(new OrderPlaced("a", 5), PartitionKeyStamp.none(), DelayStamp.of(DELAY.multipliedBy(2)));
			});
			List<Arrival> arrivals = queue.await(5);
			assertThat(arrivals.subList(0, 2)).extracting(DelayedPublicationTests::number)
				.containsExactlyInAnyOrder(3, 4);
			assertThat(arrivals.subList(2, 5)).extracting(DelayedPublicationTests::number).containsExactly(1, 2, 5);
			assertThat(arrivals.get(2).arrivedAt() - begun).isGreaterThanOrEqualTo(DELAY.toNanos());
		}
	}

	@Test
	void itsLatencyIsCountedFromItsTime() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.relay.poll-interval", "20ms")
					.start()) {
			application.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 1), DelayStamp.of(DELAY)));
			queue.await(1);
			Timer latency = application.bean(MeterRegistry.class).get("outbox.latency").timer();
			Awaitility.await().until(() -> latency.count() == 1);
			assertThat(latency.totalTime(TimeUnit.MILLISECONDS)).isLessThan(DELAY.toMillis());
		}
	}

	@Test
	void anOutboxIsNotUnhealthyBecauseOfWhatIsDelayed() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.with("outbox.health.depth-threshold", 2)
			.with("outbox.health.lag-threshold", "1ms")
			.with("outbox.monitor.sample-interval", "1s")
			.start()) {
			application.inTransaction((outbox) -> {
				outbox.publish(new OrderPlaced("a", 1), DelayStamp.of(Duration.ofHours(1)));
				outbox.publish(new OrderPlaced("b", 1), DelayStamp.of(Duration.ofHours(1)));
			});
			OutboxHealthIndicator indicator = application.bean(OutboxHealthIndicator.class);
			Awaitility.await()
				.until(() -> Long.valueOf(2).equals(indicator.health(true).getDetails().get("delayedKeys")));
			Health health = indicator.health(true);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("depth", 2L).containsEntry("stalledKeys", 0L);
		}
	}

	private static int number(Arrival arrival) {
		return JsonMapper.shared().readTree(arrival.body()).path("version").asInt();
	}

}
