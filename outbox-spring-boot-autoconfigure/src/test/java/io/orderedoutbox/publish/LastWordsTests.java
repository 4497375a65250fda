/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is published while the application goes down. Spring takes listeners away one by
 * one then, but transactions still commit.
 */
class LastWordsTests {

	@Test
	void anEventPublishedWhenListenersAreDestroyedIsStoredWithItsTransaction() {
		var database = Servers.database().fresh();
		try (OutboxApplication observer = OutboxApplication.on(database).withoutRelay().start()) {
			try (OutboxApplication application = OutboxApplication.on(database)
				.withoutRelay()
				.with(LastWords.class)
				.start()) {
				application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			}
			assertThat(observer.rows()).extracting(StoredRow::partitionKey).containsExactly("a", "b", "c", "d");
		}
	}

	@Test
	void anEventIsStoredOnceAlsoWhenAListenerAsEarlyAsTheBridgePublishesAnother() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with(Early.class)
			.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("c", 1));
			assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactlyInAnyOrder("a", "b", "c");
		}
	}

	/**
	 * Called next to the bridge.
	 */
	static final class Early implements ApplicationListener<ApplicationEvent>, Ordered {

		private final ApplicationEventPublisher events;

		Early(ApplicationEventPublisher events) {
			this.events = events;
		}

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
			if (event instanceof PayloadApplicationEvent<?> any && any.getPayload().equals(new OrderPlaced("a", 1))) {
				this.events.publishEvent(new OrderPlaced("b", 1));
			}
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

	/**
	 * Made before the beans of the outbox, and therefore destroyed after them.
	 */
	static final class LastWords implements DisposableBean {

		private final ApplicationEventPublisher events;

		private final TransactionTemplate transaction;

		LastWords(ApplicationEventPublisher events, TransactionTemplate transaction) {
			this.events = events;
			this.transaction = transaction;
		}

		@Override
		public void destroy() {
			this.transaction.executeWithoutResult((status) -> {
				this.events.publishEvent(new OrderPlaced("c", 1));
				this.events.publishEvent(OutboxEnvelope.of(new OrderPlaced("d", 1)));
			});
		}

	}

}
