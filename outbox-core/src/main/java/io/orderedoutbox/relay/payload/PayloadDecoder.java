/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;

/**
 * Undoes what a header says was done to the payload of a message, and removes the header.
 * A message without it stays as it is. Throws {@link PayloadUnavailableException} if the
 * message is not to blame, and {@link IllegalArgumentException} if it cannot be undone.
 */
public final class PayloadDecoder implements UnaryOperator<StoredMessage> {

	private final PayloadTransformers transformers;

	private final String header;

	private PayloadDecoder(PayloadTransformers transformers, String header) {
		this.transformers = transformers;
		this.header = header;
	}

	/**
	 * Return what undoes the part of the relay.
	 * @param transformers undo what was done
	 * @return the decoder
	 */
	public static PayloadDecoder ofRelay(PayloadTransformers transformers) {
		return new PayloadDecoder(transformers, EncodedPayload.RELAY_HEADER);
	}

	/**
	 * Return what undoes the part of consumers, where they are in the same application.
	 * @param transformers undo what was done
	 * @return the decoder
	 */
	public static PayloadDecoder ofConsumers(PayloadTransformers transformers) {
		return new PayloadDecoder(transformers, EncodedPayload.CONSUMER_HEADER);
	}

	@Override
	public StoredMessage apply(StoredMessage stored) {
		Map<String, Object> headers = stored.message().headers();
		Object encodings = headers.isEmpty() ? null : headers.get(this.header);
		return (encodings != null) ? decoded(stored, encodings.toString()) : stored;
	}

	private StoredMessage decoded(StoredMessage stored, String encodings) {
		Message message = stored.message();
		byte[] payload = this.transformers.decode(message.payload(), encodings,
				new PayloadContext(message.messageId().toString(), message.name()));
		Map<String, Object> headers = new HashMap<>(message.headers());
		headers.remove(this.header);
		return stored.with(message.with(message.contentType(), payload, headers));
	}

}
