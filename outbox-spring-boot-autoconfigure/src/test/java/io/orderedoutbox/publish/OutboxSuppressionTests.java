/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.orderedoutbox.MessageIdStamp;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxSuppression;
import io.orderedoutbox.observation.PublishContext;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A block of code of which no event is stored.
 */
class OutboxSuppressionTests {

	@AutoClose
	private static OutboxApplication application;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("spring.task.execution.propagate-context", true)
			.with(Asynchronous.class, Recorder.class, Observed.class)
			.start();
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM outbox_message").update();
		application.bean(Recorder.class).heard.clear();
		application.bean(Observed.class).names.clear();
	}

	@AfterEach
	void theBlockHasEnded() {
		assertThat(OutboxSuppression.isActive()).isFalse();
	}

	@Test
	void onlyWhatIsPublishedOutsideOfTheBlockIsStoredInTheSameTransaction() {
		inTransaction(() -> {
			publish("before");
			OutboxSuppression.run(() -> publish("inside"));
			publish("after");
		});
		assertThat(storedKeys()).containsExactly("before", "after");
	}

	@Test
	void whatWasPublishedBeforeIsStoredAlsoIfTheBlockCommits() {
		OutboxSuppression.run(() -> inTransaction(() -> {
			OutboxSuppression.setActive(false);
			publish("before");
			OutboxSuppression.setActive(true);
			publish("inside");
		}));
		assertThat(storedKeys()).containsExactly("before");
	}

	@Test
	void ordinaryListenersStillGetTheEvents() {
		inTransaction(() -> OutboxSuppression.run(() -> {
			publish("plain");
			application.context().publishEvent(OutboxEnvelope.of(new OrderPlaced("enveloped", 1)));
		}));
		assertThat(application.bean(Recorder.class).heard).containsExactly("plain", "enveloped");
		assertThat(storedKeys()).isEmpty();
	}

	@Test
	void aCallOfTheOutboxStoresNothingAndIsNotObserved() {
		UUID id = UUID.randomUUID();
		inTransaction(() -> OutboxSuppression.run(() -> {
			assertThat(application.outbox().publish(new OrderPlaced("a", 1))).isNotNull();
			assertThat(application.outbox().publish(new OrderPlaced("a", 1), MessageIdStamp.of(id))).isEqualTo(id);
			assertThat(application.outbox().publish(OutboxEnvelope.of(new OrderPlaced("a", 1), MessageIdStamp.of(id))))
				.isEqualTo(id);
		}));
		assertThat(storedKeys()).isEmpty();
		assertThat(application.bean(Observed.class).names).isEmpty();
		inTransaction(() -> application.outbox().publish(new OrderPlaced("a", 1)));
		assertThat(application.bean(Observed.class).names).isNotEmpty();
	}

	@Test
	void needsNeitherATransactionNorAKey() {
		OutboxSuppression.run(() -> {
			publish(null);
			application.outbox().publish(new OrderPlaced(null, 1));
		});
		assertThat(application.bean(Recorder.class).heard).hasSize(1);
	}

	@Test
	void theEndOfAnInnerBlockDoesNotEndTheOuterOne() {
		inTransaction(() -> OutboxSuppression.run(() -> {
			OutboxSuppression.run(() -> publish("inner"));
			publish("outer");
		}));
		assertThat(storedKeys()).isEmpty();
	}

	@Test
	void anExceptionEndsTheBlock() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> OutboxSuppression.call(() -> {
			throw new IOException("replay");
		}));
		inTransaction(() -> publish("after"));
		assertThat(storedKeys()).containsExactly("after");
	}

	@Test
	void returnsWhatTheWorkReturns() {
		assertThat(OutboxSuppression.<String, RuntimeException>call(() -> "result")).isEqualTo("result");
	}

	@Test
	void anotherThreadIsNotInTheBlock() {
		OutboxSuppression.run(() -> CompletableFuture.runAsync(() -> inTransaction(() -> publish("elsewhere"))).join());
		assertThat(storedKeys()).containsExactly("elsewhere");
	}

	@Test
	void whereTheContextIsPropagatedAnAsynchronousMethodIsInTheBlockAndItsThreadIsNotForEver() {
		Publisher publisher = application.bean(Publisher.class);
		OutboxSuppression.run(() -> publisher.publish("inside").join());
		for (int call = 0; call < 20; call++) {
			publisher.publish("after").join();
		}
		assertThat(storedKeys()).hasSize(20).containsOnly("after");
	}

	private static void inTransaction(Runnable work) {
		application.transaction().executeWithoutResult((status) -> work.run());
	}

	private static void publish(String key) {
		application.context().publishEvent(new OrderPlaced(key, 1));
	}

	private static List<String> storedKeys() {
		return application.rows().stream().map(StoredRow::partitionKey).toList();
	}

	static class Recorder {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void on(OrderPlaced event) {
			this.heard.add(String.valueOf(event.orderId()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Observed {

		private final List<String> names = new CopyOnWriteArrayList<>();

		@Bean
		ObservationRegistry observations() {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig().observationHandler(new ObservationHandler<>() {

				@Override
				public void onStart(Observation.Context context) {
					Observed.this.names.add(context.getName());
				}

				@Override
				public boolean supportsContext(Observation.Context context) {
					return context instanceof PublishContext;
				}

			});
			return registry;
		}

	}

	@EnableAsync(proxyTargetClass = true)
	@Configuration(proxyBeanMethods = false)
	static class Asynchronous {

		@Bean
		Publisher publisher(ApplicationEventPublisher events) {
			return new Publisher(events);
		}

	}

	static class Publisher {

		private final ApplicationEventPublisher events;

		Publisher(ApplicationEventPublisher events) {
			this.events = events;
		}

		@Async
		@Transactional
		public CompletableFuture<Void> publish(String key) {
			this.events.publishEvent(new OrderPlaced(key, 1));
			return CompletableFuture.completedFuture(null);
		}

	}

}
