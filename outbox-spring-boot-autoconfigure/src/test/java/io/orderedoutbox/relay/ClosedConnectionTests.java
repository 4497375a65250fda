/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.orderedoutbox.relay.OneShotResult.Ending;
import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Relays whose workers share a connection, which the broker closes because of a message.
 */
@Timeout(60)
class ClosedConnectionTests {

	@Test
	void aRelayThatDrainsOnceFindsTheMessageAndSendsTheOther() throws InterruptedException {
		try (OutboxApplication application = builder().with("outbox.relay.mode", "once")
			.with("outbox.relay.workers", 2)
			.with(TwoWorkers.class, OneShotRelayTests.NobodyEnds.class)
			.start()) {
			publish(application, 1);
			OneShotResult result = application.bean(OneShotRelay.class).drain((batch) -> {
			});
			assertThat(result.error()).isNull();
			assertThat(result.ending()).isEqualTo(Ending.DRAINED);
			assertThat(result.totals().published()).isOne();
			assertThat(result.totals().failed()).isOne();
			onlyTheMessageHasFailed(application);
		}
	}

	@Test
	void theWorkersOfARelayDoNotRefuseOneAnotherTheSearch() {
		try (OutboxApplication application = builder().with("outbox.relay.workers", 5)
			.with(FiveWorkers.class)
			.start()) {
			publish(application, 4);
			application.awaitDepth(1);
			Awaitility.await().until(() -> !application.bean(RelayRecorder.class).failures().isEmpty());
			onlyTheMessageHasFailed(application);
			assertThat(application.bean(OutboxRelay.class).outage()).isNull();
		}
	}

	// One message for each worker
	private static void publish(OutboxApplication application, int others) {
		application.inTransaction((outbox) -> {
			outbox.publish(new OrderLost("lost", 1));
			IntStream.range(0, others).forEach((key) -> outbox.publish(new OrderPlaced("order-" + key, 1)));
		});
	}

	private static void onlyTheMessageHasFailed(OutboxApplication application) {
		assertThat(application.depth()).isOne();
		Long lost = application.jdbc().sql("SELECT id FROM outbox_message").query(Long.class).single();
		assertThat(application.bean(RelayRecorder.class).failures()).extracting(FailedMessage::id)
			.containsExactly(lost);
	}

	private static Builder builder() {
		return OutboxApplication.on(Servers.database().fresh())
			.with(RelayRecorder.class)
			// So that each worker has something in flight
			.with("outbox.relay.batch-size", 1)
			.with("outbox.retry.initial-interval", "1h")
			.with("outbox.retry.max-interval", "1h");
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoWorkers {

		@Bean
		FragileConnection sender() {
			return new FragileConnection(2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FiveWorkers {

		@Bean
		FragileConnection sender() {
			return new FragileConnection(5);
		}

	}

	/**
	 * Is closed, with all of its channels, whenever an {@link OrderLost} arrives: for the
	 * first time when all workers have something in flight.
	 */
	static final class FragileConnection implements MessageSender {

		private static final Duration UNTIL_ANSWERED = Duration.ofMillis(20);

		private final CountDownLatch busy;

		private int closings;

		FragileConnection(int workers) {
			this.busy = new CountDownLatch(workers);
		}

		@Override
		public void withChannel(Consumer<SendingChannel> work) {
			work.accept(new Channel(this, closings()));
		}

		private synchronized int closings() {
			return this.closings;
		}

		private void awaitFirstMessages() throws InterruptedException {
			this.busy.countDown();
			assertThat(this.busy.await(20, TimeUnit.SECONDS)).isTrue();
		}

		private synchronized void arrived(StoredMessage message) {
			if (message.message().name().equals("order.lost")) {
				this.closings++;
				notifyAll();
			}
		}

		private synchronized boolean isClosed(int closingsBefore) throws InterruptedException {
			long until = System.nanoTime() + UNTIL_ANSWERED.toNanos();
			long left = until - System.nanoTime();
			while (this.closings == closingsBefore && left > 0) {
				TimeUnit.NANOSECONDS.timedWait(this, left);
				left = until - System.nanoTime();
			}
			return this.closings != closingsBefore;
		}

	}

	private static final class Channel implements SendingChannel {

		private final FragileConnection connection;

		private final int closingsBefore;

		private final Queue<StoredMessage> sent = new ArrayDeque<>();

		private final Queue<Outcome> outcomes = new ArrayDeque<>();

		Channel(FragileConnection connection, int closingsBefore) {
			this.connection = connection;
			this.closingsBefore = closingsBefore;
		}

		@Override
		public void send(StoredMessage message) {
			this.sent.add(message);
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			try {
				this.connection.awaitFirstMessages();
				this.sent.forEach(this.connection::arrived);
				if (this.connection.isClosed(this.closingsBefore)) {
					throw ChannelRefusedException.ofConnection("connection closed by the broker: 541 INTERNAL_ERROR");
				}
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			this.sent.forEach((message) -> this.outcomes.add(Outcome.published(message.id())));
			this.sent.clear();
			return this.outcomes.poll();
		}

	}

}
