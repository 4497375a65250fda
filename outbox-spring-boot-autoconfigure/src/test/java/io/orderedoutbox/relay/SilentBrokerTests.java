/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A broker that takes messages and does not answer: the relay waits for it, and business
 * transactions have all connections meanwhile.
 */
@Timeout(60)
class SilentBrokerTests {

	private final TcpProxy toBroker = TcpProxy.toBroker();

	private final TestQueue queue = TestQueue.bound("order.placed");

	private final OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
		.sendingTo(this.queue)
		.brokerThrough(this.toBroker)
		.with("spring.datasource.hikari.maximum-pool-size", 3)
		.with("outbox.relay.workers", 2)
		.with("outbox.relay.batch-time", "50ms")
		.with("outbox.relay.confirm-timeout", "30s")
		.with("outbox.relay.lock-timeout", "60s")
		.start();

	@AfterEach
	void close() {
		this.toBroker.thaw();
		this.application.close();
		this.toBroker.close();
		this.queue.close();
	}

	@Test
	void itTakesNoConnectionAndWhatItConfirmsLateIsSentOnce() {
		warmUp();
		this.toBroker.holdReplies();
		this.application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2), new OrderPlaced("b", 1));
		this.queue.await(3);
		awaitUnused();
		this.toBroker.thaw();
		this.application.awaitEmpty();
		this.queue.await(4);
		assertThat(this.queue.versionsOf("a")).containsExactly(1, 2);
		assertThat(this.queue.arrivals()).as("nothing twice").hasSize(4);
	}

	@Test
	void whatIsCommittedMeanwhileIsSentAfterwardsInOrder() {
		warmUp();
		this.toBroker.holdReplies();
		this.application.publish(new OrderPlaced("a", 1));
		this.queue.await(2);
		awaitUnused();
		this.application.publish(new OrderPlaced("a", 2));
		awaitUnused();
		this.toBroker.thaw();
		this.application.awaitEmpty();
		this.queue.await(3);
		assertThat(this.queue.versionsOf("a")).containsExactly(1, 2);
		assertThat(this.queue.arrivals()).as("nothing twice").hasSize(3);
	}

	private void warmUp() {
		this.application.publish(new OrderPlaced("warm-up", 1));
		this.queue.await(1);
		this.application.awaitEmpty();
	}

	private void awaitUnused() {
		HikariDataSource pool = this.application.bean(HikariDataSource.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.pollInterval(Duration.ofMillis(5))
			.during(Duration.ofMillis(200))
			.until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
	}

}
