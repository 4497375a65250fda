/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.DelayStamp;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.monitor.Names;
import io.orderedoutbox.monitor.console.WebClient.Reply;
import io.orderedoutbox.monitor.WorkerHeartbeat;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayState;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.FailedKey;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Actuator endpoint, asked over HTTP.
 */
@Timeout(90)
@ExtendWith(OutputCaptureExtension.class)
class OutboxEndpointTests {

	private static final String ENDPOINT = "/actuator/outbox";

	private final Database database = Servers.database().fresh();

	@Test
	void itIsNotThereUntilItIsExposed() {
		try (OutboxApplication application = WebClient.served(OutboxApplication.on(this.database)).start()) {
			assertThat(application.context().getBeanNamesForType(OutboxEndpoint.class)).isEmpty();
			assertThat(WebClient.of(application, ENDPOINT).get("").status()).isEqualTo(404);
		}
	}

	@Test
	void itOnlyReadsUntilMoreIsAllowed() {
		try (OutboxApplication application = exposed().withoutRelay().start()) {
			application.publish(new OrderPlaced("a", 1));
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.get("").status()).isEqualTo(200);
			assertThat(client.post("/retry", "{\"all\":true}").status()).isEqualTo(405);
			assertThat(client.post("/pause", "{}").status()).isEqualTo(405);
		}
	}

	@Test
	void theOverviewCountsWhatIsThere() {
		try (OutboxApplication application = exposed().withoutRelay().start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.get("").json().has("lagMillis")).isFalse();
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2), new OrderPlaced("b", 1),
					new OrderPlaced("c", 1), new OrderPlaced("d", 1));
			FailedKey.fail(application.jdbc(), "b", "UTC_TIMESTAMP(6) + INTERVAL '1' HOUR");
			FailedKey.fail(application.jdbc(), "c", FailedKey.NEVER);
			JsonNode overview = client.get("").json();
			assertThat(overview.path("backlog").toString()).isEqualTo("{\"count\":5,\"more\":false}");
			assertThat(overview.path("stalled").path("count").asInt()).isEqualTo(1);
			assertThat(overview.path("blocked").path("count").asInt()).isEqualTo(1);
			assertThat(overview.path("deadLetters").path("count").asInt()).isZero();
			assertThat(overview.path("lagMillis").asLong()).isBetween(0L, 60_000L);
			assertThat(overview.path("oldestMillis").asLong()).isBetween(0L, 60_000L);
			assertThat(overview.path("relay").path("state").asString()).isEqualTo("off");
		}
	}

	@Test
	void messagesOfEveryStateAreListedPageByPage() {
		try (OutboxApplication application = exposed().withoutRelay().start()) {
			for (int order = 0; order < 5; order++) {
				application.publish(new OrderPlaced("order-" + order, 1), new OrderPlaced("order-" + order, 2));
			}
			FailedKey.fail(application.jdbc(), "order-0", "UTC_TIMESTAMP(6) + INTERVAL '1' HOUR");
			FailedKey.fail(application.jdbc(), "order-1", FailedKey.NEVER);
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(keys(client, "state=pending")).hasSize(8);
			assertThat(keys(client, "state=due")).containsExactly("order-2", "order-2", "order-3", "order-3", "order-4",
					"order-4");
			assertThat(keys(client, "state=stalled")).containsExactly("order-0");
			assertThat(keys(client, "state=blocked")).containsExactly("order-1");
			assertThat(keys(client, "state=dead")).isEmpty();
			assertThat(keys(client, "key=order-1&state=pending")).containsExactly("order-1");
			assertThat(keys(client, "name=order.placed")).hasSize(8);
			JsonNode stalled = client.get("/messages?state=stalled").json().path("items").get(0);
			assertThat(stalled.path("waitingBehind").asInt()).isEqualTo(1);
			assertThat(stalled.path("lastError").asString()).isEqualTo("no such exchange");
			assertThat(stalled.path("retryAt").asString()).isNotEmpty();
			assertThat(stalled.propertyNames()).containsExactlyInAnyOrder("messageId", "name", "partitionKey",
					"exchange", "routingKey", "state", "attempts", "lastError", "createdAt", "since", "retryAt",
					"waitingBehind");
			JsonNode found = client.get("/messages/" + stalled.path("messageId").asString()).json().path("message");
			assertThat(found.propertyNames()).as("what waits behind it is told in lists")
				.containsExactlyInAnyOrderElementsOf(stalled.propertyStream()
					.map((property) -> property.getKey())
					.filter((name) -> !name.equals("waitingBehind"))
					.toList());
			JsonNode pending = client.get("/messages").json().path("items").get(0);
			assertThat(pending.propertyNames()).containsExactlyInAnyOrder("messageId", "name", "partitionKey",
					"exchange", "routingKey", "state", "attempts", "createdAt");
			assertThat(keys(client, "state=pending&id=" + stalled.path("messageId").asString())).isEmpty();
			assertThat(keys(client, "state=stalled&id=" + stalled.path("messageId").asString())).hasSize(1);
		}
	}

	@Test
	void whatIsDelayedIsListedWithItsTimeAndReleased() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = writable().sendingTo(queue).start()) {
			application
				.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 1), DelayStamp.of(Duration.ofHours(1))));
			WebClient client = WebClient.of(application, ENDPOINT);
			Awaitility.await()
				.until(() -> client.get("").json().path("delayed").toString().equals("{\"count\":1,\"more\":false}"));
			JsonNode delayed = client.get("/messages?state=delayed").json().path("items").get(0);
			assertThat(delayed.propertyNames()).containsExactlyInAnyOrder("messageId", "name", "partitionKey",
					"exchange", "routingKey", "state", "attempts", "createdAt", "deliverAt");
			assertThat(Instant.parse(delayed.path("deliverAt").asString()))
				.isEqualTo(Instant.parse(delayed.path("createdAt").asString()).plus(Duration.ofHours(1)));
			assertThat(client.post("/release", "{\"key\":\"a\",\"dryRun\":true}").json().path("affected").asInt())
				.isOne();
			assertThat(client.post("/release", "{\"group\":\"x\"}").status()).isEqualTo(400);
			assertThat(queue.arrivals()).isEmpty();
			assertThat(client.post("/release", "{\"key\":\"a\"}").json().path("affected").asInt()).isOne();
			queue.await(1);
			application.awaitEmpty();
		}
	}

	private static List<String> keys(WebClient client, String query) {
		return client.listed("partitionKey", query);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					/messages?state=odd       | 400 | 'state' must be one of pending, due, delayed, stalled, blocked, dead, archived, but is 'odd'
					/messages?size=0          | 400 | 'size' must be between 1 and 200, but is 0
					/messages?size=201        | 400 | 'size' must be between 1 and 200, but is 201
					/messages?after=x         | 400 | 'after' must be where another page ended, but is 'x'
					/messages?id=x&key=y      | 400 | Only one of 'id', 'key', 'name' and 'group' can be given
					/messages?name=%C3%A9     | 400 | 'value' must be ASCII
					/export?state=odd         | 400 | 'state' must be one of pending, due, delayed, stalled, blocked, dead, archived, but is 'odd'
					/export?limit=0           | 400 | 'limit' must be positive, but is 0
					/export?group=x           | 400 | A group consists of messages that have failed
					/export?state=archived    | 409 | There is no archive
					/nothing                  | 404 | There is no 'nothing', only messages, export, groups, audit, instances, configuration and outboxes
					/messages/not-there       | 404 | There is no such message
					/configuration/x          | 404 | There is nothing below 'configuration'
					""")
	void whatCannotBeAnsweredHasAStatusAndAReason(String path, int status, String problem) {
		try (OutboxApplication application = exposed().withoutRelay().start()) {
			Reply reply = WebClient.of(application, ENDPOINT).get(path);
			assertThat(reply.status()).isEqualTo(status);
			assertThat(reply.json().path("problem").asString()).startsWith(problem);
		}
	}

	@Test
	void contentIsMaskedUnlessItMayBeShown() {
		try (OutboxApplication application = exposed().withoutRelay().start();
				OutboxApplication open = exposed().withoutRelay()
					.with("outbox.monitor.show-payloads", "true")
					.start()) {
			UUID[] id = new UUID[1];
			application.inTransaction(
					(outbox) -> id[0] = outbox.publish(new OrderPlaced("a", 7), HeaderStamp.of("x-token", "s3cret")));
			Reply masked = WebClient.of(application, ENDPOINT).get("/messages/" + id[0]);
			assertThat(masked.body()).doesNotContain("s3cret", "version").contains("x-token");
			assertThat(masked.json().path("encoding").asString()).isEqualTo("masked");
			assertThat(masked.json().path("payloadSize").asInt()).isEqualTo(27);
			JsonNode shown = WebClient.of(open, ENDPOINT).get("/messages/" + id[0]).json();
			assertThat(shown.path("payload").asString()).isEqualTo("{\"orderId\":\"a\",\"version\":7}");
			assertThat(shown.path("headers").path("x-token").asString()).isEqualTo("s3cret");
			assertThat(shown.path("contentType").asString()).isEqualTo("application/json");
			assertThat(shown.path("message").path("state").asString()).isEqualTo("due");
			application.jdbc().sql("UPDATE outbox_message SET payload = REPEAT('ä', 40000)").update();
			JsonNode cut = WebClient.of(open, ENDPOINT).get("/messages/" + id[0]).json();
			assertThat(cut.path("payload").asString()).hasSize(32_768).matches("ä+");
			assertThat(cut.path("truncated").asBoolean()).isTrue();
			application.jdbc().sql("UPDATE outbox_message SET payload = x'fffe00'").update();
			JsonNode binary = WebClient.of(open, ENDPOINT).get("/messages/" + id[0]).json();
			assertThat(binary.path("payload").asString()).isEqualTo("//4A");
			assertThat(binary.path("encoding").asString()).isEqualTo("base64");
		}
	}

	@Test
	void verbsActOnWhatIsNamedAndOnNothingElse() {
		try (OutboxApplication application = writable().withoutRelay().start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2), new OrderPlaced("b", 1));
			FailedKey.fail(application.jdbc(), "a", FailedKey.NEVER);
			FailedKey.fail(application.jdbc(), "b", FailedKey.NEVER);
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.post("/skip", "{\"key\":\"a\",\"dryRun\":true}").json().path("affected").asInt()).isOne();
			assertThat(application.depth()).isEqualTo(3);
			assertThat(client.post("/skip", "{\"key\":\"a\"}").json().path("affected").asInt()).isOne();
			assertThat(keys(client, "state=dead")).containsExactly("a");
			assertThat(client.post("/requeue", "{\"name\":\"order.placed\"}").json().path("affected").asInt()).isOne();
			assertThat(application.rows()).extracting("partitionKey").containsExactly("a", "b", "a");
			assertThat(client.post("/retry", "{\"all\":true}").json().path("affected").asInt()).isOne();
			assertThat(keys(client, "state=blocked")).isEmpty();
			FailedKey.fail(application.jdbc(), "b", FailedKey.NEVER);
			client.post("/skip", "{\"all\":true}");
			assertThat(client.post("/discard", "{\"key\":\"b\"}").json().path("messageIds")).hasSize(1);
			assertThat(keys(client, "state=dead")).isEmpty();
			for (String nothing : List.of("{}", "{\"dryRun\":true}", "{\"all\":false}",
					"{\"all\":true,\"key\":\"a\"}")) {
				Reply reply = client.post("/skip", nothing);
				assertThat(reply.status()).isEqualTo(400);
				assertThat(reply.json().path("problem").asString()).contains("exactly one of");
			}
			assertThat(client.post("/explode", "{\"all\":true}").status()).isEqualTo(404);
			assertThat(client.post("/skip", "{\"all\":\"perhaps\"}").status()).isEqualTo(400);
		}
	}

	@Test
	void tenKeysThatWaitForOneExchangeAreOneGroupWithOneVerb() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = writable().with("outbox.rabbit.exchange", queue.exchange() + "-missing")
					.with("outbox.retry.initial-interval", "1h")
					.with("outbox.retry.max-interval", "1h")
					.start()) {
			for (int order = 0; order < 10; order++) {
				application.publish(new OrderPlaced("order-" + order, 1));
			}
			WebClient client = WebClient.of(application, ENDPOINT);
			Awaitility.await()
				.untilAsserted(() -> assertThat(client.get("/groups").json().path("items").get(0).path("keys").asInt(0))
					.isEqualTo(10));
			JsonNode groups = client.get("/groups").json();
			assertThat(groups.path("more").asBoolean()).isFalse();
			assertThat(groups.path("items")).as("refused or waiting for the pause to end").hasSize(1);
			JsonNode group = groups.path("items").get(0);
			assertThat(group.path("exchange").asString()).isEqualTo(queue.exchange() + "-missing");
			assertThat(group.path("cause").asString()).contains("'" + queue.exchange() + "-missing'");
			assertThat(group.path("example").path("lastError").asString()).isNotEmpty();
			assertThat(Instant.parse(group.path("oldest").asString())).isAfter(Instant.EPOCH);
			String stored = group.path("example").path("createdAt").asString();
			assertThat(client.get("/groups?from=" + stored).json().path("items").get(0).path("keys").asInt())
				.isBetween(1, 10);
			assertThat(client.get("/groups?until=" + group.path("oldest").asString()).json().path("items")).isEmpty();
			assertThat(client.get("/groups?from=now").status()).isEqualTo(400);
			String name = group.path("group").asString();
			String all = JsonMapper.shared().writeValueAsString(Map.of("group", name));
			String foretold = JsonMapper.shared().writeValueAsString(Map.of("group", name, "dryRun", true));
			String query = "state=stalled&group=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
			assertThat(client.listed("partitionKey", query)).hasSize(10);
			assertThat(client.post("/skip", foretold).json().path("affected").asInt()).isEqualTo(10);
			assertThat(client.post("/retry", all).json().path("affected").asInt()).isEqualTo(10);
			assertThat(client.post("/retry", "{\"group\":\"exchange 'x': y\"}").json().path("affected").asInt())
				.isZero();
			assertThat(client.post("/retry", "{\"group\":\"\"}").status()).isEqualTo(400);
			assertThat(client.post("/retry", "{\"group\":\"x\",\"all\":true}").status()).isEqualTo(400);
			assertThat(client.post("/pause", "{\"group\":\"x\"}").status()).isEqualTo(400);
			assertThat(client.get("/messages?state=due&group=x").status()).isEqualTo(400);
		}
	}

	@Test
	void theRelayOfThisInstanceCanBePausedAndResumed() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = writable().sendingTo(queue).start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			application.publish(new OrderPlaced("a", 1));
			application.awaitEmpty();
			assertThat(client.post("/pause", "{}").json().path("state").asString()).startsWith("paus");
			Awaitility.await()
				.until(() -> client.get("").json().path("relay").path("state").asString().equals("paused"));
			application.publish(new OrderPlaced("a", 2));
			JsonNode overview = client.get("").json();
			assertThat(overview.path("backlog").path("count").asInt()).isEqualTo(1);
			assertThat(overview.path("relay").path("published").asInt()).isEqualTo(1);
			assertThat(client.post("/resume", "{}").json().path("state").asString()).isEqualTo("running");
			queue.await(2);
			JsonNode instance = client.get("/instances").json().get(0);
			assertThat(instance.path("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
			assertThat(instance.path("host").asString()).isNotEmpty();
			assertThat(instance.path("relay").path("workers").asInt()).isEqualTo(2);
		}
	}

	@Test
	void theWorkersOfAllInstancesAreSeenThisOneFirst() {
		Database shared = Servers.database().fresh();
		try (OutboxApplication relaying = OutboxApplication.on(shared)
			.with("outbox.relay.workers", 3)
			.with("outbox.monitor.heartbeat-interval", "1s")
			.start();
				OutboxApplication shown = WebClient.served(OutboxApplication.on(shared))
					.with("management.endpoints.web.exposure.include", "outbox")
					.with("outbox.monitor.heartbeat-interval", "1s")
					.start()) {
			WebClient client = WebClient.of(shown, ENDPOINT);
			Awaitility.await().until(() -> shown.bean(RelayWorkers.class).list().size() == 5);
			JsonNode instances = client.get("/instances").json();
			assertThat(instances).hasSize(2);
			assertThat(instances.get(0).path("self").asBoolean()).isTrue();
			assertThat(instances.get(0).path("workers")).hasSize(2);
			JsonNode other = instances.get(1);
			assertThat(other.path("self").asBoolean()).isFalse();
			assertThat(other.path("startedAt").asString()).isEqualTo(relaying.bean(RelayWorkers.class)
				.list()
				.stream()
				.filter((worker) -> worker.instance().equals(relaying.bean(WorkerHeartbeat.class).instance()))
				.findFirst()
				.orElseThrow()
				.startedAt()
				.toString());
			assertThat(other.has("relay")).isFalse();
			assertThat(other.path("state").asString()).isEqualTo("running");
			assertThat(other.path("silenceMillis").asLong()).isLessThan(30_000);
			assertThat(other.path("workers")).hasSize(3)
				.allSatisfy((worker) -> assertThat(worker.path("state").asString()).isEqualTo("idle"));
			relaying.bean(OutboxRelay.class).pause();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
				JsonNode paused = client.get("/instances").json().get(1);
				return paused.path("state").asString().equals("paused")
						&& paused.path("workers").get(2).path("state").asString().equals("paused");
			});
		}
	}

	@Test
	void anInstanceThatOnlyWritesHasNothingToPause() {
		try (OutboxApplication application = writable().withoutRelay().start()) {
			Reply reply = WebClient.of(application, ENDPOINT).post("/pause", "{}");
			assertThat(reply.status()).isEqualTo(409);
			assertThat(reply.json().path("problem").asString()).contains("only writes");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"key\":\"a\"}", "{\"id\":\"x\"}", "{\"name\":\"x\"}", "{\"dryRun\":true}" })
	void aPauseIsNotForSomeMessages(String choice) {
		try (OutboxApplication application = writable().start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			Reply reply = client.post("/pause", choice);
			assertThat(reply.status()).isEqualTo(400);
			assertThat(reply.json().path("problem").asString()).contains("neither messages nor");
			assertThat(application.bean(OutboxRelay.class).state()).isEqualTo(RelayState.RUNNING);
		}
	}

	@Test
	void theApplicationHasNoSayInNamesAndFormats() {
		try (OutboxApplication application = exposed().withoutRelay()
			.with("spring.jackson.property-naming-strategy", "SNAKE_CASE")
			.with("spring.jackson.datatype.datetime.write-dates-as-timestamps", "true")
			.start()) {
			application.publish(new OrderPlaced("a", 1));
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.get("").json().has("deadLetters")).isTrue();
			JsonNode message = client.get("/messages").json().path("items").get(0);
			assertThat(Instant.parse(message.path("createdAt").asString())).isAfter(Instant.EPOCH);
			assertThat(client.get("/instances").json().get(0).has("startedAt")).isTrue();
			assertThat(client.get("/nothing").json().path("problem").asString()).isNotEmpty();
		}
	}

	@Test
	void whatNobodyHasForeseenIsLoggedAndNotShown(CapturedOutput output) {
		try (OutboxApplication application = exposed().withoutRelay().start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			application.jdbc().sql("ALTER TABLE outbox_dead_letter RENAME TO hidden").update();
			for (int times = 0; times < 3; times++) {
				Reply reply = client.get("/messages?state=dead");
				assertThat(reply.status()).isEqualTo(500);
				assertThat(reply.body()).doesNotContain("outbox_dead_letter").contains("the log of the application");
			}
			assertThat(StringUtils.countOccurrencesOf(output.getOut(), "request about the outbox could not")).isOne();
		}
	}

	@Test
	void aDatabaseThatHasVanishedIsNotWaitedForLong() {
		try (TcpProxy proxy = TcpProxy.to(this.database);
				OutboxApplication application = exposed().withoutRelay()
					.databaseThrough(proxy)
					.with("outbox.monitor.sample-interval", "0s")
					.with("spring.datasource.hikari.maximum-pool-size", "2")
					.with("spring.datasource.hikari.connection-timeout", "1000")
					.start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.get("").status()).isEqualTo(200);
			proxy.freeze();
			Assertions.assertTimeout(Duration.ofSeconds(20), () -> assertThat(client.get("").status()).isEqualTo(503));
		}
	}

	@Test
	void theConfigurationIsTheOneInEffect() {
		try (OutboxApplication application = exposed().withoutRelay().with("outbox.retry.max-attempts", "7").start()) {
			JsonNode configuration = WebClient.of(application, ENDPOINT).get("/configuration").json();
			assertThat(configuration.path("outbox.retry.max-attempts").asString()).isEqualTo("7");
			assertThat(configuration.path("outbox.ordered").asString()).isEqualTo("true");
			assertThat(configuration.path("outbox.relay.mode").asString()).isEqualTo("off");
			assertThat(configuration.path("outbox.retry.on-exhausted").asString()).isEqualTo("block");
			assertThat(configuration.path("outbox.relay.poll-interval").asString()).isEqualTo("1s");
			assertThat(configuration.path("outbox.jdbc.table-prefix").asString()).isEqualTo("outbox_");
			assertThat(configuration.path("outbox.monitor.show-payloads").asString()).isEqualTo("false");
			assertThat(configuration.path("outbox.monitor.sample-interval").asString()).isEqualTo("15s");
		}
	}

	@Test
	void theConfigurationHasEveryPropertyThatThereIsAndNoOther() throws IOException {
		String metadata = new ClassPathResource("META-INF/spring-configuration-metadata.json")
			.getContentAsString(StandardCharsets.UTF_8);
		Set<String> known = JsonMapper.shared()
			.readTree(metadata)
			.path("properties")
			.valueStream()
			.map((property) -> property.path("name").asString())
			.filter((name) -> name.startsWith("outbox."))
			// With this one no application goes on, and others have a configuration of
			// their
			// own
			.filter((name) -> !name.equals("outbox.jdbc.print-schema") && !name.equals("outbox.named"))
			.collect(Collectors.toSet());
		// What has no default is not there until it is set, and health only where there
		// is a relay
		try (OutboxApplication application = exposed().with("outbox.jdbc.platform", this.database.platform())
			.with("outbox.rabbit.shards.exchange", "exchange")
			.with("outbox.rabbit.shards.name", "name")
			.with("outbox.rabbit.shards.count", 1)
			.with("outbox.rabbit.shards.declare", false)
			.with("outbox.rabbit.cloud-events.source", "/shop")
			.with("outbox.inbox.types[order.placed]", OrderPlaced.class.getName())
			.with("outbox.inbox.type-packages", OrderPlaced.class.getPackageName())
			.with("outbox.relay.pool-size", "4")
			.with("outbox.rabbit.routes[order.placed].exchange", "orders")
			.with("outbox.senders[order.billed]", "kafka")
			.with("outbox.kafka.topics[order.billed]", "bills")
			.start()) {
			JsonNode configuration = WebClient.of(application, ENDPOINT).get("/configuration").json();
			assertThat(configuration.propertyStream()
				.map((property) -> property.getKey().replaceAll("\\[.*", ""))
				.collect(Collectors.toSet())).hasSizeGreaterThan(40).isEqualTo(known);
			assertThat(configuration.path("outbox.rabbit.routes[order.placed].exchange").asString())
				.isEqualTo("orders");
		}
	}

	@Test
	void theConfigurationTellsOfHealthWhereThereIsHealth() {
		try (OutboxApplication application = exposed().with("outbox.health.status", "out-of-service").start()) {
			JsonNode configuration = WebClient.of(application, ENDPOINT).get("/configuration").json();
			assertThat(configuration.path("outbox.health.status").asString()).isEqualTo("out-of-service");
			assertThat(configuration.path("outbox.health.depth-threshold").asString()).isEqualTo("0");
		}
	}

	@Test
	void everyRequestIsDocumentedAndWhatIsDocumentedIsAnswered() throws IOException {
		Path root = Path.of("").toAbsolutePath();
		while (!Files.exists(root.resolve("docs"))) {
			root = root.getParent();
		}
		List<String> documented = Files.readString(root.resolve("docs/monitor.md"))
			.lines()
			.filter((line) -> line.startsWith("| `GET /actuator/outbox") || line.startsWith("| `POST /actuator/outbox"))
			.map((line) -> line.split("\\|")[1])
			.toList();
		try (OutboxApplication application = writable().start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			UUID id = application.transaction().execute((status) -> {
				status.setRollbackOnly();
				return application.outbox().publish(new OrderPlaced("a", 1));
			});
			List<String> sections = documented.stream()
				.filter((request) -> request.contains("GET"))
				.map((request) -> request.replaceAll("^ `GET /actuator/outbox/?|` $", ""))
				.toList();
			assertThat(sections).containsExactlyInAnyOrderElementsOf(
					Stream.concat(Stream.of("", "messages/{messageId}"), Names.all(Section.class)).toList());
			assertThat(sections).allSatisfy((section) -> assertThat(
					client.get((section.isEmpty() ? "" : "/") + section.replace("{messageId}", id.toString())).status())
				.isEqualTo(section.contains("{") ? 404 : 200));
			List<String> actions = documented.stream()
				.filter((request) -> request.contains("POST"))
				.flatMap((request) -> Stream
					.of(request.replaceAll("POST /actuator/outbox/|[`, ]+", " ").strip().split(" +")))
				.toList();
			assertThat(actions).containsExactlyInAnyOrderElementsOf(
					Stream.concat(Stream.of("pause", "resume", "reroute", "replay"), Names.all(OperatorVerb.class))
						.toList());
			assertThat(actions).allSatisfy((action) -> assertThat(client
				.post("/" + action, action.equals("reroute") ? "{\"all\":true,\"toExchange\":\"x\"}" : "{\"all\":true}")
				.status()).as(action).isEqualTo(action.equals("replay") ? 409 : 200));
		}
	}

	@Test
	void aDatabaseThatIsAwayIsAnAnswerToo() {
		try (TcpProxy proxy = TcpProxy.to(this.database);
				OutboxApplication application = exposed().withoutRelay()
					.databaseThrough(proxy)
					.with("spring.datasource.hikari.connection-timeout", "300")
					.start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.get("").status()).isEqualTo(200);
			proxy.stop();
			Reply reply = client.get("");
			assertThat(reply.status()).isEqualTo(503);
			// The pool may give a connection that it has tried a moment before
			assertThat(reply.json().path("problem").asString())
				.containsPattern("^The (connection to the )?database jdbc:")
				.contains("%s:%d/".formatted(proxy.host(), proxy.port()), "(user '" + this.database.username() + "')")
				.doesNotContain("io.orderedoutbox", "java.");
			assertThat(client.get("/instances").status()).as("the others are not known").isEqualTo(503);
		}
	}

	@Test
	void aConnectionThatIsLostOnTheWayIsNoDatabaseThatDoesNotAnswer() {
		try (TcpProxy proxy = TcpProxy.to(this.database);
				OutboxApplication application = exposed().withoutRelay().databaseThrough(proxy).start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.get("/messages").status()).isEqualTo(200);
			proxy.resetBefore("outbox_message");
			Reply reply = client.get("/messages");
			assertThat(reply.status()).isEqualTo(503);
			assertThat(reply.json().path("problem").asString()).startsWith("The connection to the database jdbc:")
				.contains("%s:%d/".formatted(proxy.host(), proxy.port()),
						"(user '" + this.database.username() + "') was lost: ")
				.doesNotContain("io.orderedoutbox", "java.");
			assertThat(client.get("/messages").status()).isEqualTo(200);
		}
	}

	private Builder exposed() {
		return WebClient.served(OutboxApplication.on(this.database))
			.with("management.endpoints.web.exposure.include", "outbox");
	}

	private Builder writable() {
		return exposed().with("management.endpoint.outbox.access", "unrestricted");
	}

}
