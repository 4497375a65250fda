/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods and listeners on another thread, with Spring's {@code @Async}. The transaction
 * of their caller stays behind; one of their own is an ordinary one.
 */
class AsyncPublicationTests {

	// What the listeners say
	private static final BlockingQueue<Object> HEARD = new LinkedBlockingQueue<>();

	@AutoClose
	private static OutboxApplication application;

	private Shop shop;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with(WithAsync.class, Shop.class)
			.start();
	}

	@BeforeEach
	void empty() {
		Business.in(application.jdbc());
		HEARD.clear();
		this.shop = application.bean(Shop.class);
	}

	@Test
	void aMethodIsNotInTheTransactionOfItsCaller() {
		application.transaction().executeWithoutResult((status) -> {
			application.outbox().publish(new OrderPlaced("caller", 1));
			assertThatExceptionOfType(ExecutionException.class)
				.isThrownBy(() -> this.shop.publish("async").get(10, TimeUnit.SECONDS))
				.withCauseInstanceOf(OutboxPublicationException.class)
				.withMessageContaining("without a transaction");
		});
		assertThat(keys()).containsExactly("caller");
	}

	@Test
	void aMethodWithATransactionOfItsOwnStoresWithThatOne() {
		application.transaction().executeWithoutResult((status) -> {
			application.outbox().publish(new OrderPlaced("caller", 1));
			assertThat(this.shop.publishInATransaction("async", true)).succeedsWithin(10, TimeUnit.SECONDS);
			assertThat(keys()).containsExactly("async");
			status.setRollbackOnly();
		});
		assertThat(keys()).containsExactly("async");
	}

	@Test
	void aMethodThatFailsTakesItsEventsWithIt() {
		application.transaction().executeWithoutResult((status) -> {
			application.outbox().publish(new OrderPlaced("caller", 1));
			assertThat(this.shop.publishInATransaction("async", false)).failsWithin(10, TimeUnit.SECONDS);
		});
		assertThat(keys()).containsExactly("caller");
	}

	@Test
	void aListenerAtTheCallIsNotInTheTransactionOfThePublisher() throws Exception {
		application.publish(new AtTheCall("a"), new OrderPlaced("b", 1));
		assertThat(next()).asInstanceOf(InstanceOfAssertFactories.throwable(OutboxPublicationException.class))
			.hasMessageContaining("without a transaction");
		assertThat(keys()).containsExactly("a", "b");
	}

	@Test
	void aListenerAfterTheCommitStoresInATransactionOfItsOwn() throws Exception {
		application.publish(new AfterTheCommit("a"), new OrderPlaced("b", 1));
		assertThat(next()).isEqualTo("stored");
		assertThat(application.rows()).extracting(StoredRow::name)
			.containsExactly("after.the.commit", "order.placed", "effect");
	}

	@Test
	void aListenerAfterTheCommitHearsNothingOfWhatWasRolledBack() throws Exception {
		application.transaction().executeWithoutResult((status) -> {
			application.context().publishEvent(new AfterTheCommit("lost"));
			status.setRollbackOnly();
		});
		application.publish(new AfterTheCommit("a"), new OrderPlaced("b", 1));
		assertThat(next()).isEqualTo("stored");
		assertThat(HEARD).isEmpty();
		assertThat(keys()).containsExactly("a", "b", "a");
	}

	private static Object next() throws InterruptedException {
		return HEARD.poll(10, TimeUnit.SECONDS);
	}

	private static List<String> keys() {
		return application.rows().stream().map(StoredRow::partitionKey).toList();
	}

	record AtTheCall(@PartitionKey String key) {

	}

	record AfterTheCommit(@PartitionKey String key) {

	}

	record Effect(@PartitionKey String key) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class WithAsync {

	}

	static class Shop {

		private final ApplicationEventPublisher publisher;

		Shop(ApplicationEventPublisher publisher) {
			this.publisher = publisher;
		}

		@Async
		public CompletableFuture<Void> publish(String key) {
			this.publisher.publishEvent(new OrderPlaced(key, 1));
			return CompletableFuture.completedFuture(null);
		}

		@Async
		@Transactional
		public CompletableFuture<Void> publishInATransaction(String key, boolean commit) {
			this.publisher.publishEvent(new OrderPlaced(key, 1));
			if (!commit) {
				throw new IllegalStateException("The work fails");
			}
			return CompletableFuture.completedFuture(null);
		}

		@Async
		@EventListener
		public void on(AtTheCall event) {
			try {
				this.publisher.publishEvent(new Effect(event.key()));
				HEARD.add("stored");
			}
			catch (OutboxPublicationException ex) {
				HEARD.add(ex);
			}
		}

		@Async
		@TransactionalEventListener
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public void on(AfterTheCommit event) {
			this.publisher.publishEvent(new Effect(event.key()));
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					HEARD.add("stored");
				}

			});
		}

	}

}
