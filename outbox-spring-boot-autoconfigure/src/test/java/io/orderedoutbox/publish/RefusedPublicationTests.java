/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.MissingPartitionKeyException;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.rabbit.RabbitDestination;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionTemplate;

import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Wrong use: an error at the call that says what to do, and nothing written.
 */
class RefusedPublicationTests {

	@AutoClose
	private static OutboxApplication application;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("outbox.max-payload-size", "1KB")
			.with(StrangeNames.class)
			.start();
	}

	@BeforeEach
	void empty() {
		Business.in(application.jdbc());
	}

	@AfterEach
	void nothingIsWritten() {
		assertThat(application.depth()).isZero();
	}

	@Test
	void withoutATransaction() {
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> application.outbox().publish(new OrderPlaced("a", 1)))
			.withMessageContaining(OrderPlaced.class.getName())
			.withMessageContaining("without a transaction")
			.withMessageContaining("@Transactional, and call it on another bean");
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> application.context().publishEvent(new OrderPlaced("a", 1)));
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> application.context().publishEvent(OutboxEnvelope.of(new OrderPlaced("a", 1))));
	}

	@Test
	void inAReadOnlyTransaction() {
		TransactionTemplate readOnly = new TransactionTemplate(application.transaction().getTransactionManager());
		readOnly.setReadOnly(true);
		readOnly.executeWithoutResult((status) -> assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> application.outbox().publish(new OrderPlaced("a", 1)))
			.withMessageContaining("read-only")
			.withMessageContaining("remove readOnly"));
	}

	@Test
	void inATransactionThatJoinedAReadOnlyOne() {
		TransactionTemplate readOnly = new TransactionTemplate(application.transaction().getTransactionManager());
		readOnly.setReadOnly(true);
		readOnly.executeWithoutResult((outer) -> application.transaction()
			.executeWithoutResult((inner) -> assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> application.outbox().publish(new OrderPlaced("a", 1)))
				.withMessageContaining("read-only")));
	}

	@Test
	void ofAnOutboxThatIsNotThere() {
		refused(new OfBilling("a")).withMessageContaining(OfBilling.class.getName())
			.withMessageContaining("names the outbox 'billing', and there is no such outbox here")
			.withMessageContaining("outbox.named.billing.*");
	}

	@OutboxMessage(value = "invoice.sent", outbox = "billing")
	record OfBilling(@PartitionKey String key) {
	}

	@Test
	void nothingAtAll() {
		assertThatIllegalArgumentException().isThrownBy(() -> application.outbox().publish(null))
			.withMessageContaining("'event'");
		application.inTransaction((outbox) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> outbox.publish(null, PartitionKeyStamp.none()))
			.withMessageContaining("'event'"));
	}

	@ParameterizedTest
	@MethodSource("eventsWithoutKey")
	void eventWithoutKeySaysHowToGiveOne(Object event) {
		refused(event, MissingPartitionKeyException.class).withMessageContaining("@PartitionKey")
			.withMessageContaining("PartitionKeyStamp.none()");
	}

	static Stream<Object> eventsWithoutKey() {
		return Stream.of(new NoKey("a"), new OrderPlaced(null, 1), new OrderPlaced("", 1), new OrderPlaced(" ", 1));
	}

	@Test
	void eventWithoutKeyIsRefusedInAnEnvelopeToo() {
		application.transaction()
			.executeWithoutResult((status) -> assertThatExceptionOfType(MissingPartitionKeyException.class)
				.isThrownBy(() -> application.context().publishEvent(OutboxEnvelope.of(new NoKey("a"))))
				.withMessageContaining(NoKey.class.getName()));
	}

	@ParameterizedTest
	@MethodSource("eventsWithAWrongKey")
	void eventWithAWrongKey(Object event) {
		refused(event).withMessageMatching("(?is).*key.*");
	}

	static Stream<Named<Object>> eventsWithAWrongKey() {
		return Stream.of(Named.of("too long", new OrderPlaced("x".repeat(256), 1)),
				Named.of("unpaired surrogate", new OrderPlaced("\ud83d", 1)),
				Named.of("array", new AnyKey(new byte[] { 1 })), Named.of("no toString", new AnyKey(new Object())),
				Named.of("two", new TwoKeys("a", "b")), Named.of("malformed expression", new Malformed("a")));
	}

	@ParameterizedTest
	@MethodSource("eventsThatCannotBeSerialised")
	void eventThatCannotBeSerialised(Object event) {
		refused(event).withMessageContaining("cannot be serialised").withCauseInstanceOf(RuntimeException.class);
	}

	static Stream<Object> eventsThatCannotBeSerialised() {
		return Stream.of(new Throwing("a"), new Cycle("a"));
	}

	@Test
	void payloadThatIsTooLarge() {
		refused(new Large("a", "x".repeat(1024))).withMessageContaining("outbox.max-payload-size")
			.withMessageContaining("1024");
	}

	@ParameterizedTest
	@MethodSource("eventsWithAWrongName")
	void eventWithAWrongName(Object event) {
		refused(event).withMessageContaining("message name").withMessageContaining("@OutboxMessage(\"order.placed\")");
	}

	static Stream<Object> eventsWithAWrongName() {
		return Stream.of(new UpperCase("a"), new Blank("a"), new TooLong("a"), new Änderung("a"), new Object() {

			@PartitionKey
			public String key() {
				return "a";
			}

		});
	}

	@ParameterizedTest
	@MethodSource("eventsThatTheStrategyCannotName")
	void eventThatTheStrategyCannotName(Object event) {
		refused(event).withMessageContaining("has no message name");
	}

	static Stream<Object> eventsThatTheStrategyCannotName() {
		return Stream.of(new NamedNull("a"), new NamedNever("a"));
	}

	@Test
	void destinationThatIsTooLong() {
		refused(new FarAway("a")).withMessageContaining("has no destination").withMessageContaining("255 bytes");
	}

	@ParameterizedTest
	@MethodSource("wrongStamps")
	void stampsThatContradictEachOther(List<Stamp> stamps) {
		application.inTransaction((outbox) -> assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> outbox.publish(new OrderPlaced("a", 1), stamps.toArray(Stamp[]::new)))
			.withMessageContaining("contradict"));
	}

	static Stream<List<Stamp>> wrongStamps() {
		return Stream.of(List.of(PartitionKeyStamp.of("a"), PartitionKeyStamp.of("b")),
				List.of(HeaderStamp.of("h", "1"), HeaderStamp.of("h", "1")));
	}

	@Test
	void stampOfTheCallThatContradictsTheEnvelope() {
		application.inTransaction((outbox) -> assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> outbox.publish(OutboxEnvelope.of(new OrderPlaced("a", 1), PartitionKeyStamp.of("b")),
					PartitionKeyStamp.of("c")))
			.withMessageContaining("contradict"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void onAThreadThatHasNoTransaction(boolean throughTheBean) {
		application.inTransaction((outbox) -> assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> CompletableFuture.runAsync(() -> {
				OrderPlaced event = new OrderPlaced("a", 1);
				if (throughTheBean) {
					outbox.publish(event);
				}
				else {
					application.context().publishEvent(event);
				}
			}, OWN_THREAD).get(10, TimeUnit.SECONDS))
			.withCauseInstanceOf(OutboxPublicationException.class));
	}

	private static ThrowableAssertAlternative<OutboxPublicationException> refused(Object event) {
		return refused(event, OutboxPublicationException.class);
	}

	private static <T extends RuntimeException> ThrowableAssertAlternative<T> refused(Object event, Class<T> with) {
		return application.transaction()
			.execute((status) -> assertThatExceptionOfType(with)
				.isThrownBy(() -> application.context().publishEvent(event))
				.withMessageContaining(event.getClass().getName()));
	}

	@OutboxMessage
	record NoKey(String key) {

	}

	record AnyKey(@PartitionKey Object key) {

	}

	record TwoKeys(@PartitionKey String first, @PartitionKey String second) {

	}

	@PartitionKey("key.")
	record Malformed(String key) {

	}

	record Throwing(@PartitionKey String key) {

		public String getMore() {
			throw new IllegalStateException("no more");
		}

	}

	record Cycle(@PartitionKey String key) {

		public Cycle getSelf() {
			return this;
		}

	}

	record Large(@PartitionKey String key, String text) {

	}

	@OutboxMessage("Order.Placed")
	record UpperCase(@PartitionKey String key) {

	}

	@OutboxMessage(" ")
	record Blank(@PartitionKey String key) {

	}

	@OutboxMessage("abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi."
			+ "abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi.abcdefghi.a")
	record TooLong(@PartitionKey String key) {

	}

	record Änderung(@PartitionKey String key) {

	}

	record NamedNull(@PartitionKey String key) {

	}

	record NamedNever(@PartitionKey String key) {

	}

	@RabbitDestination(routingKey = FarAway.KEY)
	record FarAway(@PartitionKey String key) {

		static final String KEY = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
				+ "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
				+ "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
				+ "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

	}

	static class StrangeNames {

		@Bean
		MessageNamingStrategy strangeNames() {
			AnnotatedMessageNamingStrategy ordinary = new AnnotatedMessageNamingStrategy();
			Map<Class<?>, Supplier<String>> strange = Map.of(NamedNull.class, () -> null, NamedNever.class, () -> {
				throw new IllegalStateException("nameless");
			});
			return (type) -> strange.getOrDefault(type, () -> ordinary.nameOf(type)).get();
		}

	}

}
