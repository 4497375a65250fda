/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.MessageSenderDecorator;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The MDC of a relay's threads.
 */
@Timeout(120)
class MessageContextTests {

	private static final String CHOKES = "chokes";

	@Test
	void whatIsLoggedWhileAMessageIsSentCarriesIt() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with(Listening.class)
					.start()) {
			Listening listening = application.bean(Listening.class);
			UUID first = application.publish(new OrderPlaced("a", 1));
			UUID second = application.publish(new OrderPlaced("b", 1));
			application.awaitEmpty();
			assertThat(listening.whileSending).containsExactlyInAnyOrder(context(first, "a"), context(second, "b"));
			assertThat(listening.otherwise).isNotEmpty().allSatisfy((context) -> assertThat(context).isEmpty());
		}
	}

	@Test
	void itIsGoneAlsoAfterAMessageThatCannotBeSent() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.retry.max-attempts", 1)
					.with("outbox.retry.on-exhausted", "dead-letter")
					.with(Listening.class)
					.start()) {
			Listening listening = application.bean(Listening.class);
			UUID choking = application.publish(new OrderPlaced(CHOKES, 1));
			application.awaitEmpty();
			application.publish(new OrderPlaced("a", 1));
			application.awaitEmpty();
			queue.await(1);
			assertThat(listening.whileSending).hasSize(2).contains(context(choking, CHOKES));
			assertThat(listening.otherwise).isNotEmpty().allSatisfy((context) -> assertThat(context).isEmpty());
		}
	}

	private static Map<String, String> context(UUID id, String key) {
		return Map.of("message_id", id.toString(), "message_name", "order.placed", "partition_key", key);
	}

	/**
	 * What the MDC says to those who log in between.
	 */
	static class Listening implements MessageSenderDecorator {

		private final List<Map<String, String>> whileSending = new CopyOnWriteArrayList<>();

		private final List<Map<String, String>> otherwise = new CopyOnWriteArrayList<>();

		private static Map<String, String> now() {
			Map<String, String> context = MDC.getCopyOfContextMap();
			return (context != null) ? context : Map.of();
		}

		@Override
		public MessageSender decorate(MessageSender sender) {
			return (work) -> sender.withChannel((channel) -> {
				this.otherwise.add(now());
				work.accept(new ListeningChannel(channel));
				this.otherwise.add(now());
			});
		}

		private final class ListeningChannel implements SendingChannel {

			private final SendingChannel channel;

			ListeningChannel(SendingChannel channel) {
				this.channel = channel;
			}

			@Override
			public void send(StoredMessage message) {
				Listening.this.whileSending.add(now());
				if (message.message().partitionKey().equals(CHOKES)) {
					throw new IllegalArgumentException("choked");
				}
				this.channel.send(message);
			}

			@Override
			public @Nullable Outcome nextOutcome(Duration timeout) {
				Listening.this.otherwise.add(now());
				return this.channel.nextOutcome(timeout);
			}

		}

	}

}
