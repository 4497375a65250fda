/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.time.Duration;
import java.util.function.Consumer;

import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * {@link MessageSender} that undoes, just before a message is handed to another sender,
 * what the relay has to undo of its payload. If that fails, the message fails for a
 * reason of its own; it is never sent as it is stored. Any other message is handed on as
 * it is.
 */
public final class DecodingMessageSender implements MessageSender {

	private final MessageSender sender;

	private final PayloadDecoder decoder;

	/**
	 * Create a sender.
	 * @param sender what sends
	 * @param transformers undo what was done to payloads
	 */
	public DecodingMessageSender(MessageSender sender, PayloadTransformers transformers) {
		this.sender = sender;
		this.decoder = PayloadDecoder.ofRelay(transformers);
	}

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		this.sender.withChannel((channel) -> work.accept(new Channel(channel)));
	}

	private final class Channel implements SendingChannel {

		private final SendingChannel channel;

		Channel(SendingChannel channel) {
			this.channel = channel;
		}

		@Override
		public void send(StoredMessage message) {
			this.channel.send(DecodingMessageSender.this.decoder.apply(message));
		}

		@Override
		public @Nullable Outcome nextOutcome(Duration timeout) {
			return this.channel.nextOutcome(timeout);
		}

	}

}
