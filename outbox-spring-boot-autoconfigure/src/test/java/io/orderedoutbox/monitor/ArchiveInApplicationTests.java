/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.retention.JdbcArchive;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.monitor.console.WebClient.Reply;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The archive of a running application: what is seen of it over HTTP, and how it is kept
 * from growing for ever.
 */
@Timeout(90)
@ExtendWith(OutputCaptureExtension.class)
class ArchiveInApplicationTests {

	private final Database database = Servers.database().fresh();

	@Test
	void whatWasPublishedIsListedTheLastOneFirst() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = exposed().sendingTo(queue).start()) {
			for (int version = 1; version <= 3; version++) {
				application.publish(new OrderPlaced("a", version), new OrderLost("b", version));
				application.awaitEmpty();
			}
			List<String> sent = queue.await(6).stream().map(Arrival::messageId).toList();
			WebClient client = client(application);
			JsonNode archived = client.get("").json().path("archived");
			assertThat(archived.toString()).isEqualTo("{\"count\":6,\"more\":false}");
			assertThat(ids(client, "")).containsExactlyInAnyOrderElementsOf(sent).startsWith(sent.get(5));
			List<String> ofKey = queue.arrivals()
				.stream()
				.filter((arrival) -> arrival.routingKey().equals("order.placed"))
				.map(Arrival::messageId)
				.toList();
			assertThat(ids(client, "&key=a")).containsExactly(ofKey.get(2), ofKey.get(1), ofKey.get(0));
			assertThat(ids(client, "&name=order.placed")).containsExactlyElementsOf(ids(client, "&key=a"));
			assertThat(ids(client, "&id=" + ofKey.get(1))).containsExactly(ofKey.get(1));
			assertThat(ids(client, "&key=c")).isEmpty();
			assertThat(client.get("/messages?state=archived&after=x").status()).isEqualTo(400);
			JsonNode item = client.get("/messages?state=archived&size=1").json().path("items").get(0);
			assertThat(item.path("state").asString()).isEqualTo("archived");
			assertThat(item.path("since").asString()).isGreaterThan(item.path("createdAt").asString());
		}
	}

	private static List<String> ids(WebClient client, String query) {
		return client.listed("messageId", "state=archived" + query);
	}

	@Test
	void whatItCarriedIsMaskedUnlessItMayBeShown() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = exposed().sendingTo(queue).start();
				OutboxApplication open = exposed().withoutRelay()
					.with("outbox.monitor.show-payloads", "true")
					.start()) {
			UUID[] id = new UUID[1];
			application.inTransaction(
					(outbox) -> id[0] = outbox.publish(new OrderPlaced("a", 7), HeaderStamp.of("x-token", "s3cret")));
			queue.await(1);
			application.awaitEmpty();
			Reply masked = client(application).get("/messages/" + id[0]);
			assertThat(masked.body()).doesNotContain("s3cret", "version").contains("x-token");
			assertThat(masked.json().path("message").path("state").asString()).isEqualTo("archived");
			JsonNode shown = client(open).get("/messages/" + id[0]).json();
			assertThat(shown.path("payload").asString()).isEqualTo("{\"orderId\":\"a\",\"version\":7}");
			assertThat(shown.path("payloadSize").asInt()).isEqualTo(27);
			assertThat(shown.path("headers").path("x-token").asString()).isEqualTo("s3cret");
			assertThat(shown.path("contentType").asString()).isEqualTo("application/json");
		}
	}

	@Test
	void verbsDoNothingToItAndSaySo() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = exposed().sendingTo(queue).start()) {
			UUID id = application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			application.awaitEmpty();
			WebClient client = client(application);
			for (String verb : List.of("retry", "skip", "requeue", "discard")) {
				for (String dryRun : List.of("", ",\"dryRun\":true")) {
					Reply reply = client.post("/" + verb, "{\"id\":\"%s\"%s}".formatted(id, dryRun));
					assertThat(reply.status()).isEqualTo(409);
					assertThat(reply.json().path("problem").asString())
						.isEqualTo("The message was published and is in the archive: there is nothing to " + verb);
				}
				assertThat(client.post("/" + verb, "{\"all\":true}").json().path("affected").asInt()).isZero();
			}
			assertThat(client.post("/retry", "{\"id\":\"nobody\"}").json().path("affected").asInt()).isZero();
			assertThat(ids(client, "")).containsExactly(id.toString());
			assertThat(queue.arrivals()).hasSize(1);
		}
	}

	@Test
	void whereThereIsNoneThatIsSaid() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = WebClient.served(OutboxApplication.on(this.database))
					.with("management.endpoints.web.exposure.include", "outbox")
					.with("management.endpoint.outbox.access", "unrestricted")
					.sendingTo(queue)
					.start()) {
			UUID id = application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			application.awaitEmpty();
			assertThat(archived(application)).isZero();
			assertThat(application.context().containsBean("orderedOutboxArchivePurge")).isFalse();
			WebClient client = client(application);
			assertThat(client.get("").json().has("archived")).isFalse();
			Reply reply = client.get("/messages?state=archived");
			assertThat(reply.status()).isEqualTo(409);
			assertThat(reply.json().path("problem").asString()).startsWith("There is no archive")
				.contains("outbox.archive.enabled=true");
			assertThat(client.get("/messages/" + id).status()).isEqualTo(404);
			assertThat(client.post("/retry", "{\"id\":\"%s\"}".formatted(id)).status()).isEqualTo(200);
			assertThat(client.get("/configuration").json().path("outbox.archive.enabled").asString())
				.isEqualTo("false");
		}
	}

	@Test
	void aRelayThatHasLostItSendsNothingUntilItIsBack(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = exposed().sendingTo(queue).start()) {
			application.jdbc().sql("ALTER TABLE outbox_archive RENAME TO hidden").update();
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2));
			await().until(() -> output.getOut()
				.contains("The archive is enabled, and its table or another table of the outbox is missing"));
			Awaitility.await()
				.during(Duration.ofSeconds(2))
				.atMost(Duration.ofSeconds(5))
				.until(() -> queue.arrivals().isEmpty() && application.depth() == 2);
			JsonNode overview = client(application).get("").json();
			assertThat(overview.path("backlog").path("count").asInt()).isEqualTo(2);
			assertThat(overview.has("archived")).isFalse();
			application.jdbc().sql("ALTER TABLE hidden RENAME TO outbox_archive").update();
			application.awaitEmpty();
			assertThat(queue.await(2)).hasSize(2);
			assertThat(queue.versionsOf("a")).containsExactly(1, 2);
			assertThat(archived(application)).isEqualTo(2);
		}
	}

	@Test
	void whatIsOldIsRemovedAlsoByAnInstanceThatOnlyWrites(CapturedOutput output) {
		try (OutboxApplication first = OutboxApplication.on(this.database).withoutRelay().start()) {
			archive(first, 3_000, "UTC_TIMESTAMP(6) + INTERVAL '-7300' SECOND");
			archive(first, 10, "UTC_TIMESTAMP(6) + INTERVAL '-7000' SECOND");
			try (OutboxApplication one = purging(); OutboxApplication other = purging()) {
				await().until(() -> archived(one) == 10);
				assertThat(purge(one).isRunning()).isTrue();
				assertThat(purge(other).isRunning()).isTrue();
			}
		}
		assertThat(output).doesNotContain("cannot be removed");
	}

	private static RetentionPurge purge(OutboxApplication application) {
		return application.context().getBean("orderedOutboxArchivePurge", RetentionPurge.class);
	}

	private OutboxApplication purging() {
		return OutboxApplication.on(this.database)
			.withoutRelay()
			.with("outbox.archive.enabled", "true")
			.with("outbox.archive.retention", "2h")
			.start();
	}

	@Test
	void anOutageIsToldOnceAndIsNotTheEnd(CapturedOutput output) {
		try (TcpProxy proxy = TcpProxy.to(this.database);
				OutboxApplication direct = OutboxApplication.on(this.database).withoutRelay().start();
				OutboxApplication application = OutboxApplication.on(this.database)
					.withoutRelay()
					.databaseThrough(proxy)
					.with("outbox.monitor.sample-interval", "0s")
					.with("spring.datasource.hikari.connection-timeout", "300")
					.start()) {
			RetentionPurge purge = new RetentionPurge("purge", new JdbcArchive(application.bean(OutboxDatabase.class)),
					Duration.ofHours(1), Duration.ofMillis(50));
			purge.start();
			archive(direct, 1, "'2001-01-01'");
			await().until(() -> archived(direct) == 0);
			proxy.stop();
			await().until(() -> output.getOut().contains("cannot be removed from table outbox_archive"));
			archive(direct, 1, "'2001-01-01'");
			Awaitility.await()
				.during(Duration.ofSeconds(2))
				.atMost(Duration.ofSeconds(6))
				.until(() -> StringUtils.countOccurrencesOf(output.getOut(), "cannot be removed from table") == 1
						&& archived(direct) == 1);
			proxy.start();
			await().until(() -> archived(direct) == 0);
			await().until(() -> output.getOut().contains("is removed from table outbox_archive again"));
			purge.stop();
			archive(direct, 1, "'2001-01-01'");
			Awaitility.await()
				.during(Duration.ofMillis(500))
				.atMost(Duration.ofSeconds(5))
				.until(() -> archived(direct) == 1);
		}
	}

	private static void archive(OutboxApplication application, int messages, String publishedAt) {
		application.jdbc()
			.sql("""
					INSERT INTO outbox_archive (position, message_id, name, partition_key, exchange, routing_key, content_type,
					payload, payload_size, created_at, attempts, published_at)
					SELECT 1, UUID(), 'order.placed', 'a', '', '', 'text/plain', 'x', 1, '2001-01-01', 0, %s
					FROM outbox_stripe a CROSS JOIN outbox_stripe b WHERE a.id * 1024 + b.id < %d"""
				.formatted(publishedAt, messages))
			.update();
	}

	private static long archived(OutboxApplication application) {
		return application.jdbc().sql("SELECT COUNT(*) FROM outbox_archive").query(Long.class).single();
	}

	private Builder exposed() {
		return WebClient.served(OutboxApplication.on(this.database))
			.with("management.endpoints.web.exposure.include", "outbox")
			.with("management.endpoint.outbox.access", "unrestricted")
			.with("outbox.archive.enabled", "true");
	}

	private static WebClient client(OutboxApplication application) {
		return WebClient.of(application, "/actuator/outbox");
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(20));
	}

}
