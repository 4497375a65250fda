/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * {@link MessageSender} to a broker that takes every message at once.
 */
final class InMemoryMessageSender implements MessageSender {

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		work.accept(new Channel());
	}

	private static final class Channel implements SendingChannel {

		private final Queue<Outcome> outcomes = new ArrayDeque<>();

		@Override
		public void send(StoredMessage message) {
			this.outcomes.add(Outcome.published(message.id()));
		}

		@Override
		public @Nullable Outcome nextOutcome(Duration timeout) {
			return this.outcomes.poll();
		}

	}

}
