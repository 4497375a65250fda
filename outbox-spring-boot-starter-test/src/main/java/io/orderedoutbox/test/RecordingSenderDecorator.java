/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.MessageSenderDecorator;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.core.PriorityOrdered;

/**
 * Records what the sender has brought to the broker, as the broker sees it: the decorator
 * is next to the sender.
 */
final class RecordingSenderDecorator implements MessageSenderDecorator, PriorityOrdered {

	private final MessageRecorder recorder;

	RecordingSenderDecorator(MessageRecorder recorder) {
		this.recorder = recorder;
	}

	@Override
	public MessageSender decorate(MessageSender sender) {
		return (work) -> sender.withChannel((channel) -> work.accept(new Channel(channel)));
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	private final class Channel implements SendingChannel {

		private final SendingChannel channel;

		private final Map<Long, StoredMessage> inFlight = new HashMap<>();

		Channel(SendingChannel channel) {
			this.channel = channel;
		}

		@Override
		public void send(StoredMessage message) {
			this.inFlight.put(message.id(), message);
			this.channel.send(message);
		}

		@Override
		public @Nullable Outcome nextOutcome(Duration timeout) {
			Outcome outcome = this.channel.nextOutcome(timeout);
			StoredMessage message = (outcome != null) ? this.inFlight.remove(outcome.id()) : null;
			if (message != null && outcome != null && outcome.error() == null) {
				RecordingSenderDecorator.this.recorder.arrived(message.message());
			}
			return outcome;
		}

	}

}
