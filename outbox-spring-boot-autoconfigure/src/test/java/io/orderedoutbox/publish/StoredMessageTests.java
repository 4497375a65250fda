/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.rabbit.RabbitDestination;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is in the row of a published event.
 */
class StoredMessageTests {

	@AutoClose
	private static OutboxApplication application;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("outbox.rabbit.exchange", "events")
			.with("outbox.rabbit.routes[rerouted].exchange", "elsewhere")
			.with("outbox.rabbit.routes[rerouted].routing-key", "by.property")
			.with("outbox.rabbit.routes[order.placed].routing-key", "by.property")
			.start();
	}

	@BeforeEach
	void empty() {
		Business.in(application.jdbc());
	}

	@Test
	void eventOfATypeThatNeedsNoOrderIsAccepted() {
		application.inTransaction((outbox) -> {
			outbox.publish(new NeedsNoOrder("a"));
			outbox.publish(new NeedsNoOrder("a"), PartitionKeyStamp.of("k"));
		});
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactlyInAnyOrder("", "k");
	}

	@Test
	void rowHasWhatTheAnnotationsSayAndTheBodyHasBusinessDataOnly() {
		application.publish(new OrderPlaced("a", 7), new OrderPlaced("b", 8));
		assertThat(application.rows()).hasSize(2).first().satisfies((row) -> {
			assertThat(UUID.fromString(row.messageId()).version()).isEqualTo(7);
			assertThat(row.name()).isEqualTo("order.placed");
			assertThat(row.partitionKey()).isEqualTo("a");
			assertThat(row.contentType()).isEqualTo("application/json");
			assertThat(row.text()).isEqualTo("{\"orderId\":\"a\",\"version\":7}");
			assertThat(row.headers()).isNull();
			assertThat(row.attempts()).isZero();
		});
	}

	@Test
	void noClassNameIsStored() {
		application
			.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 7), HeaderStamp.of("tenant", "acme")));
		String everything = application.jdbc()
			.sql("SELECT CONCAT_WS(' ', name, partition_key, exchange, routing_key, content_type, CONVERT(payload USING utf8mb4), headers) FROM outbox_message")
			.query(String.class)
			.single();
		assertThat(everything).contains("acme").doesNotContain("OrderPlaced").doesNotContain("io.orderedoutbox");
	}

	@Test
	void eventThatChangesAfterwardsKeepsItsBodyAndItsKey() {
		application.transaction().executeWithoutResult((status) -> {
			Mutable event = new Mutable("before");
			application.context().publishEvent(event);
			event.key = "after";
			application.context().publishEvent(event);
		});
		assertThat(application.rows()).extracting(StoredRow::text)
			.containsExactly("{\"key\":\"before\"}", "{\"key\":\"after\"}");
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly("before", "after");
	}

	static Stream<Named<String>> keys() {
		return Stream
			.of("trailing ", " leading", "tab\t", "Case", "case", "ä", "a\u0308", "ß", "ss", "ﬀ", "😀", "\u0000",
					"'; DROP TABLE outbox_message --", "\\", "%_", "нет", "x".repeat(255), "😀".repeat(255))
			.map((key) -> Named.of((key.length() > 40) ? key.codePointCount(0, key.length()) + " characters" : key,
					key));
	}

	@ParameterizedTest
	@MethodSource("keys")
	void keyIsStoredExactly(String key) {
		application.publish(new OrderPlaced(key, 1));
		application.inTransaction((outbox) -> outbox.publish(new Keyless("x"), PartitionKeyStamp.of(key)));
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly(key, key);
	}

	@Test
	void keysThatLookAlikeAreDifferentKeysInTheDatabaseToo() {
		List<String> keys = new ArrayList<>(List.of("a", "a ", "A", "á", "a\u0301", "a\t", " a"));
		application.transaction()
			.executeWithoutResult(
					(status) -> keys.forEach((key) -> application.context().publishEvent(new OrderPlaced(key, 1))));
		assertThat(application.jdbc()
			.sql("SELECT COUNT(DISTINCT partition_key) FROM outbox_message")
			.query(Integer.class)
			.single()).isEqualTo(keys.size());
		for (String key : keys) {
			assertThat(application.jdbc()
				.sql("SELECT partition_key FROM outbox_message WHERE partition_key = ?")
				.param(key)
				.query(String.class)
				.list()).containsExactly(key);
		}
	}

	@Test
	void explicitKeyWinsOverTheAnnotation() {
		application.inTransaction(
				(outbox) -> outbox.publish(new OrderPlaced("annotated", 1), PartitionKeyStamp.of("explicit")));
		application.publish(OutboxEnvelope.of(new OrderPlaced("annotated", 1), PartitionKeyStamp.of("in the envelope")),
				OutboxEnvelope.of(new OrderPlaced("annotated", 1)));
		assertThat(application.rows()).extracting(StoredRow::partitionKey)
			.containsExactly("explicit", "in the envelope", "annotated");
	}

	@Test
	void explicitKeyHelpsAnEventWhoseAnnotatedKeyIsNull() {
		application
			.inTransaction((outbox) -> outbox.publish(new OrderPlaced(null, 1), PartitionKeyStamp.of("explicit")));
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly("explicit");
	}

	@Test
	void deliberatelyEmptyKeyPasses() {
		application.inTransaction((outbox) -> {
			outbox.publish(new OrderPlaced("annotated", 1), PartitionKeyStamp.none());
			outbox.publish(new Keyless("x"), PartitionKeyStamp.none());
			outbox.publish(new Keyless("x"), PartitionKeyStamp.of(""));
		});
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly("", "", "");
	}

	@Test
	void headersAreStoredAsTheyAre() {
		application.inTransaction((outbox) -> outbox.publish(
				OutboxEnvelope.of(new OrderPlaced("a", 1), HeaderStamp.of("tenant", "acmé \"😀\"\n")),
				HeaderStamp.of("Tenant", "")));
		assertThat(application.rows()).singleElement().satisfies((row) -> {
			JsonNode headers = JsonMapper.shared().readTree(row.headers());
			assertThat(headers.size()).isEqualTo(2);
			assertThat(headers.get("tenant").stringValue()).isEqualTo("acmé \"😀\"\n");
			assertThat(headers.get("Tenant").stringValue()).isEmpty();
		});
	}

	@Test
	void routeIsFixedWhenTheEventIsPublished() {
		application.inTransaction((outbox) -> {
			outbox.publish(new Keyless("x"), PartitionKeyStamp.none());
			outbox.publish(new Annotated("a"));
			outbox.publish(new Rerouted("a"));
			outbox.publish(new OrderPlaced("a", 1));
		});
		assertThat(application.rows()).extracting(StoredRow::exchange)
			.containsExactly("events", "audit", "elsewhere", "events");
		assertThat(application.rows()).extracting(StoredRow::routingKey)
			.containsExactly("keyless", "all", "by.property", "by.property");
	}

	@Test
	void anythingInAnEnvelopeIsAMessage() {
		application.publish(OutboxEnvelope.of(new Keyless("x"), PartitionKeyStamp.of("k")),
				OutboxEnvelope.of(new Unmarked("y"), PartitionKeyStamp.of("k")));
		assertThat(application.rows()).extracting(StoredRow::text)
			.containsExactly("{\"text\":\"x\"}", "{\"text\":\"y\"}");
	}

	@Test
	void binaryAndLargePayloadsAreStoredByteByByte() {
		String text = "\u0000\"'\\\n\u001a".repeat(50_000) + "é😀";
		application.inTransaction((outbox) -> outbox.publish(new Keyless(text), PartitionKeyStamp.none()));
		String body = application.rows().get(0).text();
		assertThat(JsonMapper.shared().readTree(body).get("text").stringValue()).isEqualTo(text);
	}

	@OutboxMessage
	record Keyless(String text) {

	}

	record Unmarked(String text) {

	}

	@RabbitDestination(exchange = "audit", routingKey = "all")
	record Annotated(@PartitionKey String key) {

	}

	@RabbitDestination(exchange = "audit", routingKey = "all")
	record Rerouted(@PartitionKey String key) {

	}

	static class Mutable {

		@PartitionKey
		private String key;

		Mutable(String key) {
			this.key = key;
		}

		public String getKey() {
			return this.key;
		}

	}

	@OutboxMessage(ordered = false)
	record NeedsNoOrder(String to) {

	}

}
