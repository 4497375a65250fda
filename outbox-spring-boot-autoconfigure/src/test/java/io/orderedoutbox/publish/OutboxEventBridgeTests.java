/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import io.orderedoutbox.MissingPartitionKeyException;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Application events on their way to the outbox and to ordinary listeners.
 */
class OutboxEventBridgeTests {

	@AutoClose
	private static OutboxApplication application;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().with(Ordinary.class).start();
	}

	@BeforeEach
	void empty() {
		Business.in(application.jdbc());
		ordinary(application).forget();
	}

	@Test
	void ordinaryListenersStillGetTheEvent() {
		OrderPlaced event = new OrderPlaced("a", 1);
		application.publish(new Object[] { event });
		assertThat(ordinary(application).orders).containsExactly(event);
		assertThat(stored(application)).containsExactly("order.placed");
	}

	@Test
	void eventInAnEnvelopeIsStoredOnceAndHeardOnce() {
		OrderPlaced event = new OrderPlaced("a", 1);
		OutboxEnvelope<OrderPlaced> envelope = OutboxEnvelope.of(event, PartitionKeyStamp.of("b"));
		application.publish(new Object[] { envelope });
		assertThat(ordinary(application).orders).containsExactly(event);
		assertThat(ordinary(application).envelopes).containsExactly(envelope);
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly("b");
	}

	@Test
	void envelopeIsHeardByListenersOfItsOwnTypeOnly() {
		application.publish(OutboxEnvelope.of(new Unmarked("x"), PartitionKeyStamp.none()),
				OutboxEnvelope.of(new Other("x"), PartitionKeyStamp.none()));
		assertThat(ordinary(application).envelopes).isEmpty();
		assertThat(ordinary(application).unmarked).containsExactly(new Unmarked("x"));
		assertThat(stored(application)).containsExactly("unmarked", "other");
	}

	@Test
	void sameInstanceIsStoredAsOftenAsItIsPublished() {
		OrderPlaced event = new OrderPlaced("a", 1);
		application.publish(event, OutboxEnvelope.of(event), event, OutboxEnvelope.of(event));
		assertThat(stored(application)).hasSize(4);
		assertThat(ordinary(application).orders).hasSize(4);
	}

	@Test
	void listenerOfAnEnvelopesEventCanPublishTheSameInstanceAgain() {
		OrderPlaced event = new OrderPlaced("again", 1);
		application.publish(new Object[] { OutboxEnvelope.of(event) });
		assertThat(stored(application)).hasSize(2);
		assertThat(ordinary(application).orders).hasSize(2);
	}

	@Test
	void failureOfAnOrdinaryListenerIsTheCallersAndLeavesNoTraceBehind() {
		OrderPlaced event = new OrderPlaced("failing", 1);
		application.transaction()
			.executeWithoutResult((status) -> assertThatIllegalStateException()
				.isThrownBy(() -> application.context().publishEvent(OutboxEnvelope.of(event)))
				.withMessage("listener"));
		assertThat(stored(application)).as("the caller went on").hasSize(1);
		application.transaction()
			.executeWithoutResult((status) -> assertThatIllegalStateException()
				.isThrownBy(() -> application.context().publishEvent(event)));
		assertThat(stored(application)).hasSize(2);
	}

	@Test
	void otherEventsAreUntouchedAlsoWithoutATransaction() {
		application.context().publishEvent(new Unmarked("x"));
		application.context().publishEvent("text");
		assertThat(ordinary(application).unmarked).containsExactly(new Unmarked("x"));
		assertThat(application.depth()).isZero();
	}

	@Test
	void springsOwnKindsOfEventAreMessagesIfAnnotated() {
		application.publish(new Classic("source", "a"), new PayloadApplicationEvent<>(this, new OrderPlaced("b", 1)));
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly("a", "b");
		assertThat(application.rows()).extracting(StoredRow::text).first().isEqualTo("{\"key\":\"a\"}");
	}

	@Test
	void outboxBeanStoresWithoutTellingOrdinaryListeners() {
		application.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 1)));
		assertThat(stored(application)).hasSize(1);
		assertThat(ordinary(application).orders).isEmpty();
	}

	@Test
	void multicasterWithAnExecutorStillStoresInTheTransactionOfTheCaller() {
		try (OutboxApplication async = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with(Ordinary.class, Asynchronous.class)
			.start()) {
			OrderPlaced event = new OrderPlaced("a", 1);
			async.publish(event, OutboxEnvelope.of(event));
			assertThat(stored(async)).hasSize(2);
			Awaitility.await().until(() -> ordinary(async).orders.size() == 2);
			assertThat(ordinary(async).thread.get()).as("the listener is asynchronous, so this test shows something")
				.startsWith("multicaster-");
			async.transaction().executeWithoutResult((status) -> {
				async.context().publishEvent(event);
				status.setRollbackOnly();
			});
			assertThatExceptionOfType(MissingPartitionKeyException.class)
				.isThrownBy(() -> async.publish(new Object[] { new OrderPlaced(null, 1) }));
			assertThat(stored(async)).hasSize(2);
		}
	}

	@Test
	void aspectValidatesAlsoWithAutoProxyingSwitchedOff() {
		try (OutboxApplication plain = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("spring.aop.auto", "false")
			.start()) {
			assertThatExceptionOfType(MissingPartitionKeyException.class)
				.isThrownBy(() -> plain.publish(new Object[] { new OrderPlaced(null, 1) }));
			assertThatExceptionOfType(MissingPartitionKeyException.class)
				.isThrownBy(() -> plain.inTransaction((outbox) -> outbox.publish(new Unmarked("x"))));
			plain.publish(new Object[] { new OrderPlaced("a", 1) });
			assertThat(plain.rows()).extracting(StoredRow::partitionKey).containsExactly("a");
		}
	}

	private static Ordinary ordinary(OutboxApplication application) {
		return application.bean(Ordinary.class);
	}

	private static List<String> stored(OutboxApplication application) {
		return application.rows().stream().map(StoredRow::name).toList();
	}

	record Unmarked(String text) {

	}

	record Other(String text) {

	}

	@OutboxMessage
	@JsonIncludeProperties("key")
	static class Classic extends ApplicationEvent {

		private static final long serialVersionUID = 1L;

		private final String key;

		Classic(Object source, String key) {
			super(source);
			this.key = key;
		}

		@PartitionKey
		public String getKey() {
			return this.key;
		}

	}

	static class Ordinary {

		private final List<OrderPlaced> orders = new CopyOnWriteArrayList<>();

		private final List<OutboxEnvelope<OrderPlaced>> envelopes = new CopyOnWriteArrayList<>();

		private final List<Unmarked> unmarked = new CopyOnWriteArrayList<>();

		private final AtomicReference<String> thread = new AtomicReference<>();

		private final ApplicationEventPublisher publisher;

		Ordinary(ApplicationEventPublisher publisher) {
			this.publisher = publisher;
		}

		@EventListener
		void on(OrderPlaced event) {
			this.orders.add(event);
			this.thread.set(Thread.currentThread().getName());
			if (event.orderId().equals("again") && this.orders.size() == 1) {
				this.publisher.publishEvent(event);
			}
			if (event.orderId().equals("failing")) {
				throw new IllegalStateException("listener");
			}
		}

		@EventListener
		void on(OutboxEnvelope<OrderPlaced> envelope) {
			this.envelopes.add(envelope);
		}

		@EventListener
		void on(Unmarked event) {
			this.unmarked.add(event);
		}

		void forget() {
			this.orders.clear();
			this.envelopes.clear();
			this.unmarked.clear();
		}

	}

	static class Asynchronous {

		@Bean
		ApplicationEventMulticaster applicationEventMulticaster() {
			SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
			multicaster.setTaskExecutor(new SimpleAsyncTaskExecutor("multicaster-"));
			return multicaster;
		}

	}

}
