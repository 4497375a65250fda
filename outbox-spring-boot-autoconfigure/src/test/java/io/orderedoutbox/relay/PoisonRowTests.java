/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that cannot be sent as they are, and senders that choke on a message. Each spends
 * its attempts like any other failure, and harms nobody but its own key.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class PoisonRowTests {

	private static final int ATTEMPTS = 3;

	private static final int KEYS = 40;

	// 255 characters, as many as the column takes, and four times as many bytes
	private static final String LONG = "\uD83D\uDE80".repeat(255);

	@ParameterizedTest
	@ValueSource(strings = { "headers = 'no JSON'", "headers = '[1, 2]'", "headers = 'null'", "headers = ''",
			"headers = '{\"a\": null}'", "headers = '{\"a\": {\"b\": 1}}'", "headers = '{\"a\": \"b\"'",
			"message_id = 'no UUID'", "message_id = ''", "exchange = '" + "\uD83D\uDE80" + "'" })
	@RequiresRabbitMq
	void aDamagedRowSpendsItsAttemptsAndIsGivenUp(String damage, CapturedOutput output) {
		isGivenUpAlone(damage, output);
	}

	@Test
	@RequiresRabbitMq
	void aDestinationLongerThanAmqpAllowsIsLikeAnyOtherDamage(CapturedOutput output) {
		isGivenUpAlone("exchange = '" + LONG + "'", output);
		isGivenUpAlone("routing_key = '" + LONG + "'", output);
		isGivenUpAlone("content_type = '" + LONG + "'", output);
	}

	@Test
	@RequiresRabbitMq
	void aHeaderWithANameLongerThanAmqpAllowsIsLikeAnyOtherDamage(CapturedOutput output) {
		isGivenUpAlone("headers = '{\"" + "h".repeat(300) + "\": \"value\"}'", output);
	}

	@ParameterizedTest
	@ValueSource(strings = { "exchange = 'there-is-no-such-exchange'", "exchange = ''", "routing_key = ''",
			"exchange = 'amq.rabbitmq.trace'", "exchange = 'a b\tc'" })
	@RequiresRabbitMq
	void aDestinationThatIsUnknownOrForbiddenIsLikeAnyOtherFailure(String damage, CapturedOutput output) {
		isGivenUpAlone(damage, output);
	}

	private static void isGivenUpAlone(String damage, CapturedOutput output) {
		try (TestQueue queue = TestQueue.bound("order.placed"); OutboxApplication application = application(queue)) {
			UUID poison = publishAround(application, damage);
			application.awaitEmpty();
			queue.await(3 * KEYS - 1);
			neighboursAreUnharmed(queue);
			List<Map<String, Object>> dead = application.jdbc()
				.sql("SELECT name, attempts, last_error FROM outbox_dead_letter")
				.query()
				.listOfRows();
			assertThat(dead).singleElement().satisfies((row) -> {
				assertThat(row).containsEntry("name", "order.placed");
				assertThat(row.get("attempts").toString()).isEqualTo(String.valueOf(ATTEMPTS));
				assertThat(row.get("last_error").toString()).isNotBlank();
			});
			assertThat(queue.arrivals()).extracting(TestQueue.Arrival::messageId).doesNotContain(poison.toString());
			// The recorder hears of a failure a moment after the database
			application.bean(OutboxRelay.class).stop();
			assertThat(application.bean(RelayRecorder.class).failures())
				.filteredOn((failure) -> failure.fate() != FailedMessage.Fate.POSTPONED)
				.hasSize(ATTEMPTS)
				.extracting(FailedMessage::id)
				.containsOnly(application.bean(RelayRecorder.class).failures().get(0).id());
			assertThat(output).doesNotContain("A relay worker failed", "The relay cannot work");
		}
	}

	@Test
	void anEmptyPayloadAndAnOddNameAreNoDamage() {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = application(queue)) {
			publishAround(application, "payload = '', name = '', content_type = ''");
			publishAround(application, "name = ' o''Hara \"%s\" {} " + Servers.database().choose("\\\\", "\\") + " '");
			application.awaitEmpty();
			queue.await(6 * KEYS);
			assertThat(queue.firstArrivals()).hasSize(6 * KEYS)
				.anyMatch((arrival) -> arrival.body().length == 0 && arrival.properties().getType().isEmpty())
				.anyMatch((arrival) -> arrival.properties().getType().equals(" o'Hara \"%s\" {} \\ "));
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Mishaps.InSend.class, Mishaps.ErrorInSend.class, Mishaps.InWait.class,
			Mishaps.ErrorInWait.class, Mishaps.Unspeakable.class })
	void aMessageThatTheSenderChokesOnSpendsItsAttemptsAlone(Class<?> mishap, CapturedOutput output) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = builder(queue).with(mishap).start()) {
			publishAround(application, "name = 'poison'");
			Set<Thread> workers = workers();
			application.awaitEmpty();
			neighboursAreUnharmed(queue);
			assertThat(application.jdbc()
				.sql("SELECT COUNT(*) FROM outbox_dead_letter WHERE name = 'poison' AND attempts = " + ATTEMPTS
						+ " AND CHAR_LENGTH(last_error) BETWEEN 1 AND 1000")
				.query(Long.class)
				.single()).isOne();
			assertThat(output).doesNotContain("A relay worker failed", "The relay cannot work");
			assertThat(workers()).isEqualTo(workers);
			application.bean(OutboxRelay.class).stop();
			assertThat(application.bean(RelayRecorder.class).failures()).hasSize(ATTEMPTS);
		}
	}

	@Test
	void theErrorOfASenderIsStoredAsFarAsTheColumnTakesIt() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = builder(queue).with(Mishaps.Verbose.class).start()) {
			publishAround(application, "name = 'poison'");
			application.awaitEmpty();
			String error = application.jdbc()
				.sql("SELECT last_error FROM outbox_dead_letter")
				.query(String.class)
				.single();
			assertThat(error).startsWith("java.lang.IllegalStateException: \uD83D\uDE80\uD83D\uDE80")
				.doesNotContain("\uFFFD");
			assertThat(error.codePointCount(0, error.length())).isEqualTo(1000);
		}
	}

	@Test
	void aSenderThatDoesNotWorkAtAllIsAnOutageSpendsNoAttemptAndIsNotAskedTooOften(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = builder(queue).with(Mishaps.Broken.class).start()) {
			Mishaps.Broken sender = application.bean(Mishaps.Broken.class);
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> sender.uses() >= 6);
			int before = sender.uses();
			Awaitility.await().during(Duration.ofSeconds(3)).until(() -> true);
			// Two workers, each at most once in 0.8 seconds
			assertThat(sender.uses() - before).isBetween(2, 10);
			assertThat(application.bean(OutboxRelay.class).outage()).contains("out of order");
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
			assertThat(StringUtils.countOccurrencesOf(output.getAll(), "out of order")).isOne();
			sender.repair();
			queue.await(2);
			application.awaitEmpty();
			Awaitility.await().until(() -> application.bean(OutboxRelay.class).outage() == null);
		}
	}

	// One poison in the middle of the run of the key in the middle
	private static UUID publishAround(OutboxApplication application, String damage) {
		OutboxRelay relay = application.bean(OutboxRelay.class);
		relay.stop();
		UUID[] poison = new UUID[1];
		application.inTransaction((outbox) -> {
			for (int version = 1; version <= 3; version++) {
				for (int key = 0; key < KEYS; key++) {
					UUID id = outbox.publish(new OrderPlaced("order-" + key, version));
					if (version == 2 && key == KEYS / 2) {
						poison[0] = id;
					}
				}
			}
		});
		assertThat(application.jdbc()
			.sql("UPDATE outbox_message SET " + damage + " WHERE message_id = ?")
			.param(poison[0].toString())
			.update()).isOne();
		relay.start();
		return poison[0];
	}

	private static void neighboursAreUnharmed(TestQueue queue) {
		Awaitility.await().untilAsserted(() -> assertThat(queue.firstArrivals()).hasSize(3 * KEYS - 1));
		for (int key = 0; key < KEYS; key++) {
			assertThat(queue.versionsOf("order-" + key))
				.containsExactlyElementsOf((key == KEYS / 2) ? List.of(1, 3) : List.of(1, 2, 3));
		}
	}

	private static OutboxApplication application(TestQueue queue) {
		return builder(queue).start();
	}

	private static Builder builder(TestQueue queue) {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(queue)
			.with(RelayRecorder.class)
			.with("outbox.relay.poll-interval", "50ms")
			.with("outbox.retry.initial-interval", "50ms")
			.with("outbox.retry.max-interval", "100ms")
			.with("outbox.retry.max-attempts", ATTEMPTS)
			.with("outbox.retry.on-exhausted", "dead-letter");
	}

	private static Set<Thread> workers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().matches("outbox-relay-\\d+"))
			.collect(Collectors.toSet());
	}

}
