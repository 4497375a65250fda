/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;

/**
 * Undoes what a header says was done to the payload of a message, and removes the header.
 * A message without it stays as it is. So does one whose header for consumers names a
 * character set, as a {@code RoutingStrategy} may use it. Throws
 * {@link PayloadUnavailableException} if the message is not to blame, and
 * {@link IllegalArgumentException} if it cannot be undone.
 */
public final class PayloadDecoder implements UnaryOperator<StoredMessage> {

	private final PayloadTransformers transformers;

	private final String header;

	private final Predicate<String> isOfTransformers;

	private PayloadDecoder(PayloadTransformers transformers, String header, Predicate<String> isOfTransformers) {
		this.transformers = transformers;
		this.header = header;
		this.isOfTransformers = isOfTransformers;
	}

	/**
	 * Return what undoes the part of the relay. Nothing else writes its header: what a
	 * name in it stands for has to be known.
	 * @param transformers undo what was done
	 * @return the decoder
	 */
	public static PayloadDecoder ofRelay(PayloadTransformers transformers) {
		return new PayloadDecoder(transformers, EncodedPayload.RELAY_HEADER, (encodings) -> true);
	}

	/**
	 * Return what undoes the part of consumers, where they are in the same application.
	 * @param transformers undo what was done
	 * @return the decoder
	 */
	public static PayloadDecoder ofConsumers(PayloadTransformers transformers) {
		return new PayloadDecoder(transformers, EncodedPayload.CONSUMER_HEADER,
				(encodings) -> transformers.know(encodings) || !isCharacterSet(encodings));
	}

	// What is not understood may be encrypted: it is not handed over as it is
	private static boolean isCharacterSet(String encodings) {
		try {
			return encodings.isBlank() || encodings.equalsIgnoreCase("identity") || Charset.isSupported(encodings);
		}
		catch (IllegalCharsetNameException ex) {
			return false;
		}
	}

	@Override
	public StoredMessage apply(StoredMessage stored) {
		Map<String, Object> headers = stored.message().headers();
		Object encodings = headers.isEmpty() ? null : headers.get(this.header);
		return (encodings != null && this.isOfTransformers.test(encodings.toString()))
				? decoded(stored, encodings.toString()) : stored;
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
