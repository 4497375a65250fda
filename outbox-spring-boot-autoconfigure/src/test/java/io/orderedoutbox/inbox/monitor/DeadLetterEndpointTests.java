/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orderedoutbox.admin.AuditEntry;
import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.OperatorAction;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.monitor.console.WebClient.Reply;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What metrics and endpoint tell of dead letters of shards, and what an operator does
 * with them over the endpoint, in applications without an outbox.
 */
@RequiresRabbitMq
@Timeout(90)
@ExtendWith(OutputCaptureExtension.class)
class DeadLetterEndpointTests {

	private static final String ENDPOINT = "/actuator/inbox";

	private static final List<String> PROCESSED = new CopyOnWriteArrayList<>();

	private static volatile boolean isMended;

	private static volatile @Nullable CountDownLatch begun;

	private static volatile @Nullable CountDownLatch mayEnd;

	private ShardedConsumer consumer;

	@BeforeEach
	void connect() throws Exception {
		PROCESSED.clear();
		isMended = false;
		begun = null;
		mayEnd = null;
		this.consumer = new ShardedConsumer();
	}

	@AfterEach
	void close() throws Exception {
		this.consumer.close();
	}

	@Test
	void whatIsParkedIsToldOf() throws Exception {
		try (OutboxApplication application = sequences().with(Listener.class).start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			Awaitility.await().until(() -> letters(client).path("parkedKeys").asInt(-1) == 0);
			assertThat(letters(client).path("messages").asInt()).isZero();
			assertThat(letters(client).path("heads")).isEmpty();
			assertThat(letters(client).has("oldestMillis")).isFalse();
			assertThat(gauge(application, "outbox.inbox.dead.letters.age")).isZero();
			park(3);
			Awaitility.await().until(() -> letters(client).path("sequenced").asInt() == 4);
			Awaitility.await().until(() -> letters(client).path("messages").asInt() == 4);
			JsonNode letters = letters(client);
			assertThat(letters.path("shards").asString()).isEqualTo(this.consumer.name());
			assertThat(letters.path("queue").asString()).isEqualTo(this.consumer.name() + ".dead-letters");
			assertThat(letters.path("parkedKeys").asInt()).isEqualTo(2);
			assertThat(letters.path("more").asBoolean(true)).isFalse();
			assertThat(letters.path("oldestMillis").asLong()).isBetween(1L, 60_000L);
			assertThat(letters.path("heads")).extracting((head) -> head.path("messageId").asString())
				.containsExactly("bad-1", "bad-other");
			assertThat(letters.path("heads").path(0).path("key").asString()).isEqualTo("partition 1");
			assertThat(letters.path("heads").path(0).path("ageMillis").asLong()).isBetween(1L, 60_000L);
			JsonNode before = client.get("/dead-letters?until=2026-01-01T00:00:00Z").json().path(0);
			assertThat(before.path("parkedKeys").asInt(-1)).isZero();
			assertThat(before.path("heads")).isEmpty();
			assertThat(before.path("messages").asInt()).as("in the queue").isEqualTo(4);
			JsonNode since = client.get("/dead-letters?from=2026-01-01T00:00:00Z").json().path(0);
			assertThat(since.path("parkedKeys").asInt()).isEqualTo(2);
			assertThat(since.path("sequenced").asInt()).isEqualTo(4);
			assertThat(since.path("heads")).extracting((head) -> head.path("messageId").asString())
				.containsExactly("bad-1", "bad-other");
			assertThat(since.path("oldestMillis").asLong()).isBetween(1L, 60_000L);
			assertRefusal(client.get("/dead-letters?from=now"), 400, "'from' must be a time such as");
			assertRefusal(client.get("/dead-letters?from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z"), 400,
					"'from' must be before 'until'");
			assertThat(client.get("").json().path("deadLetters").path(0).path("queue"))
				.isEqualTo(letters.path("queue"));
			assertThat(gauge(application, "outbox.inbox.dead.letters")).isEqualTo(4);
			assertThat(gauge(application, "outbox.inbox.keys.parked")).isEqualTo(2);
			assertThat(gauge(application, "outbox.inbox.dead.letters.sequenced")).isEqualTo(4);
			assertThat(gauge(application, "outbox.inbox.dead.letters.age")).isBetween(0.001, 60.0);
		}
	}

	@Test
	void withoutTheDatabaseWhatIsParkedIsUnknownAndToldOfOnce(CapturedOutput output) throws Exception {
		try (OutboxApplication application = sequences().with(Listener.class).start()) {
			park(1);
			Awaitility.await().until(() -> gauge(application, "outbox.inbox.keys.parked") == 2);
			application.jdbc().sql("ALTER TABLE inbox_dead_letter RENAME TO away").update();
			Awaitility.await().until(() -> output.toString().contains("The keys with dead letters cannot be seen"));
			assertThat(gauge(application, "outbox.inbox.keys.parked")).as("not what was seen before").isNaN();
			assertThat(gauge(application, "outbox.inbox.dead.letters.sequenced")).isNaN();
			assertThat(gauge(application, "outbox.inbox.dead.letters.age")).isNaN();
			assertThat(gauge(application, "outbox.inbox.dead.letters")).as("the broker is there").isEqualTo(2);
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(letters(client).has("parkedKeys")).isFalse();
			assertThat(client.get("").status()).isEqualTo(200);
			assertRefusal(client.get("/dead-letters?from=2026-01-01T00:00:00Z"), 503,
					"The database does not tell of dead letters");
			application.jdbc().sql("ALTER TABLE away RENAME TO inbox_dead_letter").update();
			Awaitility.await().until(() -> gauge(application, "outbox.inbox.keys.parked") == 2);
		}
		assertThat(output.toString().split("The keys with dead letters cannot be seen", -1)).hasSize(2);
		assertThat(output).contains("The keys with dead letters can be seen again");
	}

	@Test
	void anOperatorReplaysThem(CapturedOutput output) throws Exception {
		try (OutboxApplication application = sequences().with(Listener.class).start()) {
			park(3);
			WebClient client = WebClient.of(application, ENDPOINT);
			Reply inVain = client.post("/replay", shards());
			assertThat(inVain.status()).isEqualTo(200);
			assertThat(inVain.json().path("affected").asInt(-1)).isZero();
			assertThat(inVain.json().path("left").asInt()).isEqualTo(4);
			isMended = true;
			Reply reply = client.post("/replay", shards());
			assertThat(reply.json().path("affected").asInt()).isEqualTo(4);
			assertThat(reply.json().path("left").asInt(-1)).isZero();
			assertThat(PROCESSED).filteredOn((text) -> !text.equals("bad-other"))
				.containsExactly("bad-1", "good-2", "good-3");
			Awaitility.await().until(() -> letters(client).path("messages").asInt(-1) == 0);
		}
		assertThat(output).contains(
				"Inbox REPLAY of the dead letters of '%s': 0 message(s), 4 left".formatted(this.consumer.name()),
				"Inbox REPLAY of the dead letters of '%s': 4 message(s), 0 left".formatted(this.consumer.name()));
	}

	@Test
	void anOperatorDiscardsOne(CapturedOutput output) throws Exception {
		try (OutboxApplication application = sequences().with(Listener.class).start()) {
			park(2);
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.post("/discard", shards("bad-9")).json().path("affected").asInt(-1)).isZero();
			Reply reply = client.post("/discard", shards("bad-1"));
			assertThat(reply.status()).isEqualTo(200);
			assertThat(reply.json().path("affected").asInt()).isOne();
			assertThat(client.post("/replay", shards()).json().path("affected").asInt()).isOne();
			assertThat(PROCESSED).containsExactly("good-2");
			assertThat(output).contains(
					"Inbox DISCARD of dead letter 'bad-9' of '%s': there was none".formatted(this.consumer.name()),
					"Inbox DISCARD of dead letter 'bad-1' of '%s': it is removed".formatted(this.consumer.name()));
		}
	}

	@Test
	void thoseThatNoOthersFollowAreSentAgainOrDiscarded() throws Exception {
		try (OutboxApplication application = writable().with("outbox.rabbit.shards.retry.on-exhausted", "dead-letter")
			.with(Listener.class)
			.start()) {
			this.consumer.publish(1, "bad-1", "bad-1");
			this.consumer.publish(1, "bad-2", "bad-2");
			awaitDeadLetters(2);
			WebClient client = WebClient.of(application, ENDPOINT);
			Awaitility.await().until(() -> gauge(application, "outbox.inbox.dead.letters") == 2);
			assertThat(letters(client).has("parkedKeys")).isFalse();
			assertThat(application.bean(MeterRegistry.class).find("outbox.inbox.keys.parked").gauge()).isNull();
			isMended = true;
			assertThat(client.post("/discard", shards("bad-1")).json().path("affected").asInt()).isOne();
			assertThat(client.post("/replay", shards()).json().path("affected").asInt()).isOne();
			Awaitility.await().until(() -> PROCESSED.contains("bad-2"));
			assertThat(PROCESSED).containsExactly("bad-2");
			Awaitility.await().until(() -> this.consumer.deadLetters() == 0);
		}
	}

	@Test
	void whileOneReplayWorksAnotherOneIsRefused() throws Exception {
		try (OutboxApplication application = sequences().with(Listener.class).start();
				OutboxApplication another = sequences().with(Listener.class).start()) {
			park(1);
			begun = new CountDownLatch(1);
			mayEnd = new CountDownLatch(1);
			isMended = true;
			WebClient client = WebClient.of(application, ENDPOINT);
			Thread replay = new Thread(() -> client.post("/replay", shards()));
			replay.start();
			await(begun);
			Reply here = client.post("/replay", shards());
			assertThat(here.status()).isEqualTo(409);
			assertThat(here.json().path("problem").asString()).startsWith("This instance replays the dead letters of");
			Reply elsewhere = WebClient.of(another, ENDPOINT).post("/replay", shards());
			assertThat(elsewhere.status()).isEqualTo(409);
			assertThat(elsewhere.json().path("problem").asString())
				.startsWith("Another instance replays the dead letters of");
			assertThat(client.post("/discard", shards("bad-1")).status()).isEqualTo(409);
			mayEnd.countDown();
			replay.join();
			assertThat(PROCESSED).containsExactlyInAnyOrder("bad-1", "bad-other");
			assertThat(WebClient.of(another, ENDPOINT).post("/replay", shards()).status()).isEqualTo(200);
		}
	}

	// What no others follow would come behind itself, were it sent by two
	@Test
	void whileAnotherInstanceSendsThemAgainThisOneIsRefused() throws Exception {
		try (OutboxApplication application = writable().with("outbox.rabbit.shards.retry.on-exhausted", "dead-letter")
			.start()) {
			this.consumer.lockReplay();
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.post("/replay", shards()).status()).isEqualTo(409);
			this.consumer.unlockReplay();
			assertThat(client.post("/replay", shards()).status()).isEqualTo(200);
		}
	}

	@Test
	void anInstanceWithoutAListenerSaysSoAndDiscardsAllTheSame() throws Exception {
		try (OutboxApplication application = sequences().with(Listener.class).start();
				OutboxApplication other = sequences().start()) {
			park(1);
			WebClient client = WebClient.of(other, ENDPOINT);
			Awaitility.await().until(() -> letters(client).path("parkedKeys").asInt() == 2);
			Reply refusal = client.post("/replay", shards());
			assertThat(refusal.status()).isEqualTo(409);
			assertThat(refusal.json().path("problem").asString()).contains("no listener in this instance");
			assertThat(this.consumer.deadLetters()).isEqualTo(2);
			assertThat(client.post("/discard", shards("bad-1")).json().path("affected").asInt()).isOne();
			assertThat(client.post("/discard", shards("bad-other")).json().path("affected").asInt()).isOne();
			this.consumer.publish(1, "good-2", "good-2");
			Awaitility.await().until(() -> PROCESSED.contains("good-2"));
			assertThat(application.jdbc().sql("SELECT COUNT(*) FROM inbox_dead_letter").query(Integer.class).single())
				.isZero();
		}
	}

	@Test
	void itOnlyReadsUntilMoreIsAllowed() {
		try (OutboxApplication application = this.consumer.application().start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.get("/dead-letters").status()).isEqualTo(200);
			assertThat(client.post("/replay", shards()).status()).isEqualTo(405);
			assertThat(client.post("/discard", shards("bad-1")).status()).isEqualTo(405);
		}
	}

	@Test
	void whatMakesNoSenseIsRefused() {
		try (OutboxApplication application = sequences().start()) {
			WebClient client = WebClient.of(application, ENDPOINT);
			assertRefusal(client.post("/replay", "{}"), 400, "Say whose dead letters are meant with 'shards'");
			assertRefusal(client.post("/replay", "{\"shards\": \"others\"}"), 404,
					"There are no shards 'others', only " + this.consumer.name());
			assertRefusal(client.post("/replay", shards("bad-1")), 400, "'replay' takes no 'id'");
			assertRefusal(client.post("/discard", shards()), 400, "Say with 'id' which dead letter to discard");
			assertRefusal(client.post("/dance", shards()), 404, "There is no 'dance', only replay, discard");
			assertRefusal(client.get("/others"), 404, "There is no 'others', only dead-letters");
		}
	}

	@Test
	void withoutTheBrokerOrTheDatabaseItSaysSo() throws Exception {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = sequences().brokerThrough(proxy).with(Listener.class).start()) {
			park(1);
			WebClient client = WebClient.of(application, ENDPOINT);
			isMended = true;
			application.jdbc().sql("ALTER TABLE inbox_dead_letter RENAME TO away").update();
			assertRefusal(client.post("/replay", shards()), 503, "The database does not do it");
			application.jdbc().sql("ALTER TABLE away RENAME TO inbox_dead_letter").update();
			proxy.stop();
			assertRefusal(client.post("/replay", shards()), 503, "The broker does not do it");
		}
	}

	// As a filter of the application may begin one
	@Test
	void inATransactionItRefusesAndTheAuditTrailHasNothing() throws Exception {
		try (OutboxApplication application = sequences().with("outbox.enabled", true)
			.withoutRelay()
			.with(Listener.class)
			.start()) {
			park(1);
			isMended = true;
			DeadLetterConsole console = application.bean(DeadLetterConsole.class);
			application.transaction().executeWithoutResult((status) -> {
				assertThat(console.act("replay", this.consumer.name(), null).status()).isEqualTo(409);
				assertThat(console.act("discard", this.consumer.name(), "bad-1").status()).isEqualTo(409);
			});
			assertThat(PROCESSED).isEmpty();
			assertThat(this.consumer.deadLetters()).isEqualTo(2);
			assertThat(application.bean(AuditTrail.class).list(TimeRange.ALWAYS, Long.MAX_VALUE, 9)).isEmpty();
		}
	}

	@Test
	void withAnOutboxWhatOperatorsDidIsInItsAuditTrail() throws Exception {
		try (OutboxApplication application = sequences().with("outbox.enabled", true)
			.withoutRelay()
			.with(Listener.class)
			.start()) {
			park(2);
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(client.post("/discard", shards("bad-1")).status()).isEqualTo(200);
			assertThat(client.post("/replay", shards()).json().path("left").asInt()).isOne();
			assertThat(client.post("/replay", shards("bad-1")).status()).as("refused").isEqualTo(400);
			application.jdbc().sql("ALTER TABLE inbox_dead_letter RENAME TO away").update();
			assertThat(client.post("/replay", shards()).status()).isEqualTo(503);
			String all = "dead letters of the shards '%s'".formatted(this.consumer.name());
			List<OperatorAction> actions = application.bean(AuditTrail.class)
				.list(TimeRange.ALWAYS, Long.MAX_VALUE, 9)
				.stream()
				.map(AuditEntry::action)
				.toList();
			assertThat(actions).hasSize(3);
			assertThat(actions.get(0).selection()).isEqualTo(all);
			assertThat(actions.get(0).error()).contains("The database does not do it");
			assertThat(actions.subList(1, 3)).containsExactly(new OperatorAction(null, "REPLAY", all, 1, 1, null),
					new OperatorAction(null, "DISCARD",
							"dead letter 'bad-1' of the shards '%s'".formatted(this.consumer.name()), 1, 0, null));
		}
	}

	private static void assertRefusal(Reply reply, int status, String problem) {
		assertThat(reply.status()).isEqualTo(status);
		assertThat(reply.json().path("problem").asString()).startsWith(problem);
	}

	private void park(int messages) throws Exception {
		this.consumer.publish(1, "bad-1", "bad-1");
		awaitDeadLetters(1);
		for (int number = 2; number <= messages; number++) {
			this.consumer.publish(1, "good-" + number, "good-" + number);
		}
		awaitDeadLetters(messages);
		this.consumer.publish(2, "bad-other", "bad-other");
		awaitDeadLetters(messages + 1);
	}

	private void awaitDeadLetters(int count) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> this.consumer.deadLetters() == count);
	}

	private static void await(CountDownLatch latch) throws InterruptedException {
		assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
	}

	private OutboxApplication.Builder sequences() {
		return writable().with("outbox.rabbit.shards.retry.on-exhausted", "dead-letter-sequence");
	}

	private OutboxApplication.Builder writable() {
		return this.consumer.application().with("management.endpoint.inbox.access", "unrestricted");
	}

	private String shards() {
		return "{\"shards\": \"%s\"}".formatted(this.consumer.name());
	}

	private String shards(String id) {
		return "{\"shards\": \"%s\", \"id\": \"%s\"}".formatted(this.consumer.name(), id);
	}

	private static JsonNode letters(WebClient client) {
		return client.get("/dead-letters").json().path(0);
	}

	private double gauge(OutboxApplication application, String name) {
		Gauge gauge = application.bean(MeterRegistry.class).get(name).tag("shards", this.consumer.name()).gauge();
		return gauge.value();
	}

	static class Listener {

		@RabbitListener(queues = "#{@shardQueues.names()}", containerFactory = "shardListenerContainerFactory")
		void on(String text) throws Exception {
			if (text.startsWith("bad") && !isMended) {
				throw new AmqpRejectAndDontRequeueException("malformed");
			}
			CountDownLatch reached = begun;
			CountDownLatch released = mayEnd;
			if (reached != null && released != null) {
				reached.countDown();
				// No error: for one the container would end the Java VM
				if (!released.await(20, TimeUnit.SECONDS)) {
					throw new IllegalStateException("The test has not let it end");
				}
			}
			PROCESSED.add(text);
		}

	}

}
