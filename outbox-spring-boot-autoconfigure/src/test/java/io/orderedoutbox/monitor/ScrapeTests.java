/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.monitor.OutboxMetricsTests.StatementCount;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.monitor.console.WebClient.Reply;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Prometheus asks for over HTTP costs the database nothing.
 */
@Timeout(90)
class ScrapeTests {

	private static final int SCRAPES = 20;

	@Test
	void aScrapeSendsNothingToTheDatabaseOnAnyThread() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = WebClient.served(OutboxApplication.on(Servers.database().fresh()))
					.sendingTo(queue)
					.withJdbcOption("queryInterceptors", StatementCount.class.getName())
					.with("management.endpoints.web.exposure.include", "prometheus")
					.with("outbox.relay.poll-interval", "1h")
					.with("outbox.monitor.sample-interval", "1h")
					.with("outbox.monitor.heartbeat-interval", "1h")
					.start()) {
			WebClient client = WebClient.of(application, "/actuator/prometheus");
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			awaitSilence(application, client);
			application.bean(BacklogSampler.class).sample();
			long statements = StatementCount.COUNT.get();
			for (int times = 0; times < SCRAPES; times++) {
				Reply reply = client.get("");
				assertThat(reply.status()).isEqualTo(200);
				assertThat(reply.body()).contains("\noutbox_depth_messages 0.0\n", "\noutbox_lag_seconds 0.0\n",
						"\noutbox_messages_published_total 1.0\n", "\noutbox_relay_workers{state=\"idle\"} 2.0\n");
			}
			assertThat(StatementCount.COUNT.get() - statements).as("statements of %d scrapes", SCRAPES).isZero();
			application.bean(BacklogSampler.class).sample();
			assertThat(StatementCount.COUNT.get()).as("a sample is counted").isGreaterThan(statements);
		}
	}

	// Whatever a start and a message lead to is over: nobody does anything by itself for
	// an hour
	private static void awaitSilence(OutboxApplication application, WebClient client) {
		HikariDataSource pool = application.bean(HikariDataSource.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> application.bean(BacklogSampler.class).schemaVersion() != null
					&& !application.bean(RelayWorkers.class).list().isEmpty()
					&& pool.getHikariPoolMXBean().getTotalConnections() == pool.getMaximumPoolSize());
		long[] heard = new long[1];
		Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofSeconds(1)).until(() -> {
			long before = heard[0];
			heard[0] = StatementCount.COUNT.get();
			return before == heard[0] && client.get("").body().contains("\noutbox_relay_workers{state=\"idle\"} 2.0\n");
		});
	}

}
