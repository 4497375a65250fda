/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.jdbc.JdbcThroughput;
import io.orderedoutbox.monitor.console.OutboxConsole;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What all instances together have published, minute by minute.
 */
@Timeout(90)
@ExtendWith(OutputCaptureExtension.class)
class ThroughputTests {

	private static final String MINUTES_AGO = "INSERT INTO outbox_throughput VALUES (UTC_TIMESTAMP() - INTERVAL '%d' MINUTE, %d)";

	private final Database database = Servers.database().fresh();

	@Test
	void everyInstanceSeesWhatAllHavePublished() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication one = application("1s").sendingTo(queue).start();
				OutboxApplication writer = application("1s").withoutRelay().start()) {
			publish(one, 7);
			queue.await(7);
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> published(writer) == 7);
			assertThat(published(one)).isEqualTo(7);
			try (OutboxApplication other = application("1h").sendingTo(queue).start()) {
				one.context().close();
				String instance = other.bean(WorkerHeartbeat.class).instance();
				Awaitility.await()
					.until(() -> other.bean(RelayWorkers.class)
						.list()
						.stream()
						.anyMatch((worker) -> worker.instance().equals(instance)));
				publish(other, 5);
				other.awaitEmpty();
				Awaitility.await().until(() -> published(other) == 12);
				assertThat(published(writer)).as("the other has not said so yet").isEqualTo(7);
			}
			assertThat(published(writer)).as("the other has said so at its end").isEqualTo(12);
			assertThat(writer.jdbc().sql("SELECT SUM(published) FROM outbox_throughput").query(Long.class).single())
				.isEqualTo(12);
		}
	}

	private static void publish(OutboxApplication application, int messages) {
		for (int version = 1; version <= messages; version++) {
			application.publish(new OrderPlaced("a", version));
		}
	}

	@Test
	void anHourIsShownAndKept() {
		try (OutboxApplication writer = application("1s").withoutRelay().start()) {
			JdbcThroughput throughput = writer.bean(JdbcThroughput.class);
			for (int minute : List.of(0, 1, 59, 61, 90)) {
				writer.jdbc().sql(MINUTES_AGO.formatted(minute, 100 + minute)).update();
			}
			// The minute may end meanwhile
			writer.jdbc()
				.sql("UPDATE outbox_throughput SET minute = " + Servers.database()
					.choose("TIMESTAMPADD(SECOND, -SECOND(minute), minute)", "date_trunc('minute', minute)"))
				.update();
			List<Long> hour = throughput.lastHour();
			assertThat(hour).hasSize(60);
			assertThat(hour.stream().filter((published) -> published > 0)).hasSizeBetween(2, 3)
				.containsSubsequence(101L, 100L);
			throughput.removeOld();
			assertThat(writer.jdbc().sql("SELECT COUNT(*) FROM outbox_throughput").query(Long.class).single())
				.isBetween(2L, 3L);
		}
	}

	@Test
	void anInstanceThatIsIdleSendsNoStatement() {
		try (OutboxApplication writer = application("1s").withoutRelay().withSqlLog().start()) {
			long[] total = new long[1];
			ThroughputReport report = new ThroughputReport(writer.bean(JdbcThroughput.class), () -> total[0]);
			assertThat(SqlLog.of(() -> {
				report.add();
				report.clean();
			})).isEmpty();
			total[0] = 3;
			assertThat(report.remaining()).isEqualTo(3);
			assertThat(SqlLog.of(report::add)).hasSize(1);
			assertThat(report.remaining()).isZero();
			assertThat(SqlLog.of(report::add)).isEmpty();
			assertThat(SqlLog.of(report::clean)).hasSize(1);
			assertThat(SqlLog.of(report::clean)).isEmpty();
			assertThat(published(writer)).isEqualTo(3);
		}
	}

	@Test
	void withoutTheTableNobodyKnowsAndItIsSaidOnce(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application("1s").sendingTo(queue).start()) {
			application.jdbc().sql("DROP TABLE outbox_throughput").update();
			for (int version = 1; version <= 3; version++) {
				publish(application, 1);
				queue.await(version);
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.until(() -> application.bean(WorkerHeartbeat.class).unreported() == 0);
			}
			assertThat(StringUtils.countOccurrencesOf(output.getOut(), "cannot be added to table outbox_throughput"))
				.isOne();
			assertThat(output).doesNotContain("cannot be shown in table outbox_worker");
			assertThat(application.bean(OutboxConsole.class).publishedPerMinute()).isNull();
		}
	}

	@Test
	void thePageShowsWhatAllHavePublishedOrElseItsOwn() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication one = application("1s").sendingTo(queue).start();
				OutboxApplication shown = page("1s").withoutRelay().start();
				OutboxApplication alone = page("0s").withoutRelay().start()) {
			publish(one, 4);
			queue.await(4);
			WebClient client = WebClient.of(shown, "/outbox/api").asPage();
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> client.get("/overview")
					.json()
					.path("publishedPerMinute")
					.valueStream()
					.mapToLong((minute) -> minute.asLong())
					.sum() == 4);
			assertThat(client.get("/overview").json().path("publishedByAll").asBoolean()).isTrue();
			WebClient other = WebClient.of(alone, "/outbox/api").asPage();
			Awaitility.await().until(() -> other.get("/overview").json().path("answer").isObject());
			assertThat(other.get("/overview").json().path("publishedByAll").asBoolean()).isFalse();
			assertThat(other.get("/overview").json().path("publishedPerMinute")).hasSize(60)
				.allSatisfy((minute) -> assertThat(minute.asLong()).isZero());
		}
	}

	private Builder page(String heartbeat) {
		return WebClient.served(application(heartbeat)).with("outbox.monitor.enabled", "true");
	}

	private Builder application(String heartbeat) {
		return OutboxApplication.on(this.database).with("outbox.monitor.heartbeat-interval", heartbeat);
	}

	private static long published(OutboxApplication application) {
		return application.bean(OutboxConsole.class).publishedPerMinute().stream().mapToLong(Long::longValue).sum();
	}

}
