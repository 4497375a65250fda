/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.sql.Connection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.Servers;
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

import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.jdbc.datasource.AbstractDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Events that bring something along which their author has not written.
 */
@SuppressWarnings("serial")
class EventsOfSpringTests {

	@AutoClose
	private static OutboxApplication application;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start();
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM outbox_message").update();
	}

	@Test
	void sourceAndTimestampAreNotSent() {
		application.publish(new Placed(application, "a"), OutboxEnvelope.of(new Placed(application, "b")));
		assertThat(application.rows()).extracting(StoredRow::text)
			.containsExactly("{\"orderId\":\"a\"}", "{\"orderId\":\"b\"}");
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly("a", "b");
		assertThat(application.rows()).extracting(StoredRow::name).containsExactly("placed", "placed");
	}

	@Test
	void sourceIsNotAskedForAnything() {
		Pool pool = new Pool();
		application.publish(new Placed(pool, "a"));
		assertThat(pool.asked).hasValue(0);
		assertThat(application.depth()).isEqualTo(1);
	}

	@Test
	void subclassOfThePayloadEventOfSpringIsAMessageIfItIsMarked() {
		application.publish(new Marked<>("a"), new Wrapping<>(new OrderPlaced("b", 1)));
		assertThat(application.rows()).extracting(StoredRow::text)
			.containsExactly("{\"orderId\":\"a\"}", "{\"orderId\":\"b\",\"version\":1}");
	}

	static Stream<Object> eventsWithNothingToSay() {
		return Stream.of(new Silent("a"), new SilentOfSpring("a"));
	}

	@ParameterizedTest
	@MethodSource("eventsWithNothingToSay")
	void eventWithNothingToSayIsRefusedAtTheCall(Object event) {
		application.transaction()
			.executeWithoutResult((status) -> assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> application.context().publishEvent(event))
				.withMessageContaining(event.getClass().getName())
				.withMessageContaining("{}")
				.withMessageContaining("getter"));
		assertThat(application.depth()).isZero();
	}

	static Stream<Object> eventsThatNobodyCouldAnnotate() {
		return Stream.of("text", Map.of("a", 1), List.of("a"), 7, new Attributes(),
				Named.of("events", new OrderPlaced[0]),
				new PayloadApplicationEvent<>("source", new OrderPlaced("a", 1)));
	}

	@ParameterizedTest
	@MethodSource("eventsThatNobodyCouldAnnotate")
	void typeThatNobodyCouldAnnotateIsRefusedAtTheCall(Object event) {
		application.inTransaction((outbox) -> {
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> outbox.publish(event, PartitionKeyStamp.of("k")))
				.withMessageContaining(event.getClass().getName())
				.withMessageContaining("@OutboxMessage")
				.withMessageContaining("MessageNamingStrategy");
			assertThatExceptionOfType(OutboxPublicationException.class).isThrownBy(
					() -> application.context().publishEvent(OutboxEnvelope.of(event, PartitionKeyStamp.of("k"))));
		});
		assertThat(application.depth()).isZero();
	}

	static class Attributes extends HashMap<String, String> {

	}

	static class Placed extends ApplicationEvent {

		@PartitionKey
		private final String orderId;

		Placed(Object source, String orderId) {
			super(source);
			this.orderId = orderId;
		}

		public String getOrderId() {
			return this.orderId;
		}

	}

	@OutboxMessage
	static class Marked<T> extends PayloadApplicationEvent<T> {

		Marked(T payload) {
			super("source", payload);
		}

		@PartitionKey
		public T getOrderId() {
			return getPayload();
		}

	}

	static class Wrapping<T> extends PayloadApplicationEvent<T> {

		Wrapping(T payload) {
			super("source", payload);
		}

	}

	static class Silent {

		@PartitionKey
		private final String orderId;

		Silent(String orderId) {
			this.orderId = orderId;
		}

	}

	static class SilentOfSpring extends ApplicationEvent {

		@PartitionKey
		private final String orderId;

		SilentOfSpring(String orderId) {
			super("source");
			this.orderId = orderId;
		}

	}

	static class Pool extends AbstractDataSource {

		private final AtomicInteger asked = new AtomicInteger();

		@Override
		public Connection getConnection() {
			this.asked.incrementAndGet();
			throw new IllegalStateException("no connection is to be taken");
		}

		@Override
		public Connection getConnection(String username, String password) {
			return getConnection();
		}

		public String getPassword() {
			this.asked.incrementAndGet();
			return "secret";
		}

	}

}
