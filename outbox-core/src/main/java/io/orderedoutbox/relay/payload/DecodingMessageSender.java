/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.Message;
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

	private final PayloadTransformers transformers;

	/**
	 * Create a sender.
	 * @param sender what sends
	 * @param transformers undo what was done to payloads
	 */
	public DecodingMessageSender(MessageSender sender, PayloadTransformers transformers) {
		this.sender = sender;
		this.transformers = transformers;
	}

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		this.sender.withChannel((channel) -> work.accept(new Channel(channel)));
	}

	private StoredMessage decoded(StoredMessage stored) {
		Map<String, Object> headers = stored.message().headers();
		Object encodings = headers.isEmpty() ? null : headers.get(EncodedPayload.RELAY_HEADER);
		return (encodings != null) ? decoded(stored, encodings.toString()) : stored;
	}

	private StoredMessage decoded(StoredMessage stored, String encodings) {
		Message message = stored.message();
		byte[] payload = this.transformers.decode(message.payload(), encodings,
				new PayloadContext(message.messageId().toString(), message.name()));
		Map<String, Object> headers = new HashMap<>(message.headers());
		headers.remove(EncodedPayload.RELAY_HEADER);
		return stored.with(message.with(message.contentType(), payload, headers));
	}

	private final class Channel implements SendingChannel {

		private final SendingChannel channel;

		Channel(SendingChannel channel) {
			this.channel = channel;
		}

		@Override
		public void send(StoredMessage message) {
			this.channel.send(decoded(message));
		}

		@Override
		public @Nullable Outcome nextOutcome(Duration timeout) {
			return this.channel.nextOutcome(timeout);
		}

	}

}
