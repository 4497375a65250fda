/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.orderedoutbox.Correlation;
import io.orderedoutbox.Destination;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.inbox.Inbox;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.testing.RemoteTransformer;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.BeanUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application whose messages go to its own listeners, without a broker.
 */
@Tag("order")
class InProcessListenerTests {

	private static OutboxApplication.Builder application() {
		return OutboxApplication.on(Servers.database().fresh())
			.with("outbox.sender", "in-process")
			.with("outbox.retry.initial-interval", "50ms")
			.with("outbox.retry.max-interval", "200ms")
			.with("outbox.relay.poll-interval", "50ms");
	}

	@Test
	void aListenerTakesThePayloadAfterTheCommitAndNothingBeforeARollback() {
		try (OutboxApplication application = application().with(Orders.class).start()) {
			application.transaction().executeWithoutResult((status) -> {
				application.outbox().publish(new OrderPlaced("rolled-back", 1));
				status.setRollbackOnly();
			});
			UUID id = application.transaction()
				.execute((status) -> application.outbox()
					.publish(new OrderPlaced("a", 7), HeaderStamp.of("tenant", "blue")));
			application.awaitEmpty();
			Orders orders = application.bean(Orders.class);
			assertThat(orders.placed).containsExactly(new OrderPlaced("a", 7));
			assertThat(orders.messages).singleElement().satisfies((message) -> {
				assertThat(message.messageId()).isEqualTo(id);
				assertThat(message.name()).isEqualTo("order.placed");
				assertThat(message.partitionKey()).isEqualTo("a");
				assertThat(message.headers()).containsEntry("tenant", "blue");
				assertThat(message.attempts()).isZero();
			});
			assertThat(application.context().getBeansOfType(MessageSender.class))
				.containsOnlyKeys("orderedOutboxListenerMessageSender");
		}
	}

	@Test
	void aMessageWhoseListenerFailsIsTriedAgainAndHoldsItsKeyAlone() {
		try (OutboxApplication application = application().with(Failing.class).start()) {
			for (int version = 1; version <= 10; version++) {
				application.publish(new OrderPlaced("failing", version), new OrderPlaced("other", version));
			}
			application.awaitEmpty();
			List<OrderPlaced> taken = application.bean(Failing.class).taken;
			assertThat(taken.stream().filter((order) -> order.orderId().equals("failing")).map(OrderPlaced::version))
				.containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
			assertThat(taken.stream().filter((order) -> order.orderId().equals("other")).map(OrderPlaced::version))
				.containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
			assertThat(application.bean(Failing.class).failures).hasValue(3);
		}
	}

	@Test
	void aListenerTakesAPayloadThatWasCompressedForItsConsumer() {
		try (OutboxApplication application = application().with(Orders.class)
			.with("outbox.payload.compression.enabled", true)
			.with("outbox.payload.compression.min-size", "100B")
			.start()) {
			OrderPlaced large = new OrderPlaced("x".repeat(190), 1);
			application.publish((Object) large);
			application.awaitEmpty();
			Orders orders = application.bean(Orders.class);
			assertThat(orders.placed).containsExactly(large);
			assertThat(orders.messages).singleElement()
				.satisfies((message) -> assertThat(message.headers()).doesNotContainKey("amqp:content-encoding"));
		}
	}

	@Test
	void aListenerTakesAPayloadWhoseEncodingIsThatOfItsProducer() {
		try (OutboxApplication application = application().with(Orders.class, SaysItsCharacterSet.class).start()) {
			application.publish((Object) new OrderPlaced("a", 1));
			application.awaitEmpty();
			Orders orders = application.bean(Orders.class);
			assertThat(orders.placed).containsExactly(new OrderPlaced("a", 1));
			assertThat(orders.messages).singleElement()
				.satisfies((message) -> assertThat(message.headers()).containsEntry("amqp:content-encoding", "utf-8"));
		}
	}

	@Test
	void aPayloadThatCannotBeUndoneInTimeCostsNoAttemptAndHoldsNoOtherMessage() {
		try (OutboxApplication application = application().with(Orders.class, Silent.class)
			.with("outbox.relay.workers", 1)
			.with("outbox.relay.confirm-timeout", "500ms")
			.with("outbox.relay.lock-timeout", "1s")
			// The other message is due so much earlier after a pause, and has to be
			// looked for
			.with("outbox.retry.initial-interval", "300ms")
			.with("outbox.retry.max-interval", "500ms")
			.with("outbox.relay.poll-interval", "20ms")
			.with("outbox.retry.max-attempts", 2)
			.with("outbox.retry.on-exhausted", "dead-letter")
			.start()) {
			Silent silent = application.bean(Silent.class);
			application.publish(new OrderPlaced("silent", 1), new OrderPlaced("other", 1));
			Awaitility.await().until(() -> silent.interrupted.get() > 2);
			assertThat(application.count("attempts > 0")).isZero();
			assertThat(application.bean(Orders.class).placed).containsExactly(new OrderPlaced("other", 1));
			silent.isAway.countDown();
			application.awaitEmpty();
			assertThat(application.bean(Orders.class).placed).containsExactly(new OrderPlaced("other", 1),
					new OrderPlaced("silent", 1));
		}
	}

	@Test
	void aPayloadThatCannotBeUndoneNowCostsNoAttempt() {
		try (OutboxApplication application = application().with(Orders.class, Remote.class)
			.with("outbox.retry.max-attempts", 2)
			.with("outbox.retry.on-exhausted", "dead-letter")
			.start()) {
			Remote remote = application.bean(Remote.class);
			application.publish((Object) new OrderPlaced("a", 1));
			Awaitility.await().until(() -> remote.questions.get() > 4);
			assertThat(application.count("attempts > 0")).isZero();
			remote.isAway = false;
			application.awaitEmpty();
			assertThat(application.bean(Orders.class).placed).containsExactly(new OrderPlaced("a", 1));
		}
	}

	@Test
	void aPayloadThatTakesLongToSayThatItCannotBeUndoneHoldsNoYoungerKey() {
		try (OutboxApplication application = application().with(Orders.class, Remote.class)
			.with("outbox.relay.workers", 1)
			.with("outbox.partitions", 1)
			.with("outbox.retry.initial-interval", "500ms")
			.with("outbox.retry.max-interval", "10s")
			.start()) {
			Remote remote = application.bean(Remote.class);
			remote.takes = Duration.ofMillis(500);
			application.bean(OutboxRelay.class).stop();
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1), new OrderPlaced("c", 1));
			remote.isNew = false;
			application.publish((Object) new OrderPlaced("younger", 1));
			application.bean(OutboxRelay.class).start();
			List<OrderPlaced> placed = application.bean(Orders.class).placed;
			Awaitility.await().until(() -> !placed.isEmpty());
			assertThat(remote.questions).hasValueLessThan(3);
			remote.isAway = false;
			application.awaitEmpty();
			assertThat(placed).startsWith(new OrderPlaced("younger", 1)).hasSize(4);
		}
	}

	@Test
	void aMessageWithoutAListenerWaitsAndSaysSo() {
		try (OutboxApplication application = application().with(Orders.class).start()) {
			application.publish((Object) new OrderBilled("a"));
			Awaitility.await()
				.until(() -> application.count(
						"last_error = 'no @OutboxListener of this application takes messages with the name ''order.billed'''") == 1);
		}
	}

	@Test
	void aListenerThatTakesTooLongIsInterruptedAndItsMessageHasFailed() {
		try (OutboxApplication application = application().with(TooLong.class)
			.with("outbox.relay.confirm-timeout", "500ms")
			.with("outbox.relay.lock-timeout", "1s")
			.with("outbox.retry.max-attempts", 2)
			.with("outbox.retry.on-exhausted", "dead-letter")
			.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2), new OrderPlaced("b", 1));
			application.awaitEmpty();
			TooLong listener = application.bean(TooLong.class);
			assertThat(listener.interrupted).hasValue(2);
			assertThat(listener.taken).containsExactlyInAnyOrder(new OrderPlaced("a", 2), new OrderPlaced("b", 1));
			assertThat(application.jdbc().sql("SELECT last_error FROM outbox_dead_letter").query(String.class).single())
				.contains("TooLong.take", "not done within", "outbox.relay.lock-timeout");
		}
	}

	@Test
	void aListenerThatDoesNotEndWhenItIsInterruptedHoldsNoOtherMessage() {
		try (OutboxApplication application = application().with(Endless.class)
			.with("outbox.relay.workers", 1)
			.with("outbox.relay.confirm-timeout", "500ms")
			.with("outbox.relay.lock-timeout", "1s")
			.start()) {
			Endless listener = application.bean(Endless.class);
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1), new OrderPlaced("c", 1));
			Awaitility.await().until(() -> application.depth() == 1);
			assertThat(listener.taken).containsExactlyInAnyOrder(new OrderPlaced("b", 1), new OrderPlaced("c", 1));
			listener.end.countDown();
			application.awaitEmpty();
		}
	}

	@Test
	void pipelinedKeysAreRefused() {
		assertPipelinedKeysAreRefused(application());
	}

	// That there is one sender is seen only when it is known what the names mean
	@Test
	void pipelinedKeysAreRefusedAlsoWhereTheSenderIsNamedSeveralTimes() {
		assertPipelinedKeysAreRefused(application().with("outbox.senders[audit.*]", "in-process"));
	}

	private static void assertPipelinedKeysAreRefused(OutboxApplication.Builder application) {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> application.with(Orders.class).with("outbox.relay.pipelined-keys", true).start())
			.withStackTraceContaining("Remove outbox.relay.pipelined-keys");
	}

	/**
	 * Takes too long for the first message.
	 */
	static class TooLong {

		final AtomicInteger interrupted = new AtomicInteger();

		final List<OrderPlaced> taken = new CopyOnWriteArrayList<>();

		@OutboxListener
		void take(OrderPlaced order) throws InterruptedException {
			if (order.equals(new OrderPlaced("a", 1))) {
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException ex) {
					this.interrupted.incrementAndGet();
					throw ex;
				}
			}
			this.taken.add(order);
		}

	}

	/**
	 * Does not listen to an interrupt.
	 */
	static class Endless {

		final CountDownLatch end = new CountDownLatch(1);

		final List<OrderPlaced> taken = new CopyOnWriteArrayList<>();

		@OutboxListener
		void take(OrderPlaced order) {
			while (order.orderId().equals("a") && this.end.getCount() > 0) {
				Thread.onSpinWait();
			}
			this.taken.add(order);
		}

	}

	@Test
	void aMessageBecomesADeadLetterWhenItsAttemptsAreUsedUp() {
		try (OutboxApplication application = application().with(AlwaysFailing.class)
			.with("outbox.retry.max-attempts", 2)
			.with("outbox.retry.on-exhausted", "dead-letter")
			.start()) {
			application.publish((Object) new OrderPlaced("a", 1));
			application.awaitEmpty();
			assertThat(application.jdbc().sql("SELECT last_error FROM outbox_dead_letter").query(String.class).single())
				.isEqualTo("AlwaysFailing.take: java.lang.IllegalStateException: cannot");
		}
	}

	@Test
	void aListenerHasATransactionOfItsOwnAndWhatItPublishesFollowsFromTheMessage() {
		try (OutboxApplication application = application().with(Chain.class).start()) {
			application.jdbc().sql("CREATE TABLE invoice (id VARCHAR(50) PRIMARY KEY)").update();
			UUID first = application.publish((Object) new OrderPlaced("a", 1));
			application.awaitEmpty();
			Chain chain = application.bean(Chain.class);
			assertThat(chain.billed()).singleElement().satisfies((message) -> {
				assertThat(message.headers()).containsEntry(Correlation.CAUSATION_ID_HEADER, first.toString());
			});
			assertThat(application.jdbc().sql("SELECT COUNT(*) FROM invoice").query(Long.class).single()).isOne();
			assertThat(chain.calls()).as("the first call was rolled back").isEqualTo(2);
		}
	}

	@Test
	void withTheInboxWorkThatWasDoneIsNotDoneAgain() {
		try (OutboxApplication application = application().with(Once.class)
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.start()) {
			application.publish((Object) new OrderPlaced("a", 1));
			application.awaitEmpty();
			assertThat(application.bean(Once.class).deliveries).hasValue(2);
			assertThat(application.bean(Once.class).work).hasValue(1);
		}
	}

	@Test
	void theOrderOfEachKeyIsKeptWithManyWorkers() {
		try (OutboxApplication one = application().with(Orders.class).with("outbox.relay.workers", 4).start()) {
			for (int version = 1; version <= 40; version++) {
				Object[] orders = new Object[20];
				for (int key = 0; key < orders.length; key++) {
					orders[key] = new OrderPlaced("order-" + key, version);
				}
				one.publish(orders);
			}
			one.awaitEmpty();
			List<OrderPlaced> placed = one.bean(Orders.class).placed;
			assertThat(placed).hasSize(800);
			for (int key = 0; key < 20; key++) {
				String order = "order-" + key;
				assertThat(placed.stream().filter((event) -> event.orderId().equals(order)).map(OrderPlaced::version))
					.containsExactlyElementsOf(IntStream.rangeClosed(1, 40).boxed().toList());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Later.class, Asynchronous.class })
	void aListenerWhoseWorkGoesOnAfterItHasReturnedIsRefused(Class<?> type) {
		OutboxListeners listeners = new OutboxListeners(Class::getName);
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> listeners.postProcessAfterInitialization(BeanUtils.instantiateClass(type), "listener"))
			.withMessageContaining("returns before its work is done");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aListenerOfWhichThereMayBeSeveralIsRefused(boolean hasProxy) {
		OutboxApplication.Builder application = application()
			.with(hasProxy ? ManyOrdersBehindOne.class : ManyOrders.class);
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> application.start().close())
			.withStackTraceContaining("is in the bean 'manyOrders', which is no singleton");
	}

	@Test
	void aListenerThatCannotBeCalledIsRefused() {
		OutboxListeners listeners = new OutboxListeners(Class::getName);
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> listeners.postProcessAfterInitialization(new TakesTooMuch(), "listener"))
			.withMessageContaining("TakesTooMuch.take")
			.withMessageContaining("Let it take the payload, and besides it a ReceivedMessage or nothing");
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> listeners.postProcessAfterInitialization(new TakesAnyText(), "listener"))
			.withMessageContaining("Name its messages: @OutboxListener(\"order.placed\")");
	}

	@OutboxMessage("order.billed")
	record OrderBilled(@PartitionKey String orderId) {
	}

	static class Orders {

		final List<OrderPlaced> placed = new CopyOnWriteArrayList<>();

		final List<ReceivedMessage> messages = new CopyOnWriteArrayList<>();

		@OutboxListener
		void placed(OrderPlaced order, ReceivedMessage message) {
			this.placed.add(order);
			this.messages.add(message);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ManyOrders {

		@Bean
		@Scope("prototype")
		Orders manyOrders() {
			return new Orders();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ManyOrdersBehindOne {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Orders manyOrders() {
			return new Orders();
		}

	}

	static class Failing {

		final List<OrderPlaced> taken = new CopyOnWriteArrayList<>();

		final AtomicInteger failures = new AtomicInteger();

		@OutboxListener
		void take(OrderPlaced order) {
			if (order.orderId().equals("failing") && order.version() == 4 && this.failures.incrementAndGet() < 4) {
				throw new IllegalStateException("not yet");
			}
			this.failures.compareAndSet(4, 3);
			this.taken.add(order);
		}

	}

	static class AlwaysFailing {

		@OutboxListener
		void take(OrderPlaced order) {
			throw new IllegalStateException("cannot");
		}

	}

	@EnableTransactionManagement(proxyTargetClass = true)
	static class Chain {

		private final AtomicInteger calls = new AtomicInteger();

		private final List<ReceivedMessage> billed = new CopyOnWriteArrayList<>();

		private final JdbcClient jdbc;

		private final Outbox outbox;

		Chain(JdbcClient jdbc, Outbox outbox) {
			this.jdbc = jdbc;
			this.outbox = outbox;
		}

		@Transactional
		@OutboxListener
		public void bill(OrderPlaced order) {
			this.jdbc.sql("INSERT INTO invoice (id) VALUES (?)").param(order.orderId()).update();
			this.outbox.publish(new OrderBilled(order.orderId()));
			if (this.calls.incrementAndGet() == 1) {
				throw new IllegalStateException("after both");
			}
		}

		// A proxy has fields of its own, with nothing in them
		public int calls() {
			return this.calls.get();
		}

		public List<ReceivedMessage> billed() {
			return this.billed;
		}

		@OutboxListener
		public void billed(OrderBilled order, ReceivedMessage message) {
			this.billed.add(message);
		}

	}

	static class Once {

		final AtomicInteger deliveries = new AtomicInteger();

		final AtomicInteger work = new AtomicInteger();

		private final Inbox inbox;

		Once(Inbox inbox) {
			this.inbox = inbox;
		}

		@OutboxListener
		void take(OrderPlaced order, ReceivedMessage message) throws Throwable {
			this.inbox.process("billing", message.messageId().toString(), this.work::incrementAndGet);
			if (this.deliveries.incrementAndGet() == 1) {
				throw new IllegalStateException("after the work was done");
			}
		}

	}

	static class Later {

		@OutboxListener
		CompletableFuture<Void> take(OrderPlaced order) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class Asynchronous {

		@Async
		@OutboxListener
		void take(OrderPlaced order) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static final class TakesTooMuch {

		@OutboxListener
		void take(OrderPlaced order, String more) {
		}

	}

	static final class TakesAnyText {

		@OutboxListener
		void take(String text) {
		}

	}

	static final class Remote extends RemoteTransformer {

		Remote() {
			super(UndoneBy.CONSUMER);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SaysItsCharacterSet {

		@Bean
		RoutingStrategy toUtf8() {
			return (publication) -> new Route(new Destination("in-process", publication.name()),
					Map.of(Message.CONTENT_ENCODING, "utf-8"));
		}

	}

	/**
	 * Changes nothing, and asks a server that does not answer for one key.
	 */
	static final class Silent implements PayloadTransformer {

		final CountDownLatch isAway = new CountDownLatch(1);

		final AtomicInteger interrupted = new AtomicInteger();

		@Override
		public String encoding() {
			return "silent";
		}

		@Override
		public byte[] encode(byte[] payload, PayloadContext context) {
			return payload.clone();
		}

		@Override
		public byte[] decode(byte[] payload, PayloadContext context) {
			if (new String(payload, StandardCharsets.UTF_8).contains("silent")) {
				try {
					this.isAway.await();
				}
				catch (InterruptedException ex) {
					this.interrupted.incrementAndGet();
					throw new IllegalStateException("interrupted", ex);
				}
			}
			return payload;
		}

	}

}
