/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.UUID;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.PayloadTransformers;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * Makes the payload that is stored: serialised, transformed, and not too large after
 * that.
 */
public final class PayloadWriter {

	private final PayloadSerializer serializer;

	private final PayloadTransformers transformers;

	private final DataSize maxSize;

	/**
	 * Create a writer.
	 * @param serializer makes payloads
	 * @param transformers change them
	 * @param maxSize greatest size of what is stored
	 */
	public PayloadWriter(PayloadSerializer serializer, PayloadTransformers transformers, DataSize maxSize) {
		this.serializer = serializer;
		this.transformers = transformers;
		this.maxSize = maxSize;
	}

	Payload serialize(Object event) {
		return MessageFactory.refusing(event.getClass(), "cannot be serialised",
				() -> this.serializer.serialize(event));
	}

	/**
	 * Return what transformers have made of a payload, or null if they leave it as it is.
	 */
	@Nullable EncodedPayload encode(Object event, Payload payload, UUID id, String name) {
		if (payload.isReference()) {
			return null;
		}
		try {
			return this.transformers.encode(payload.body(), id, name);
		}
		// Transformers throw what they like
		catch (RuntimeException ex) {
			throw new OutboxPublicationException("Event %s has a payload that cannot be transformed: %s"
				.formatted(event.getClass().getName(), ex.getMessage()), ex);
		}
	}

	byte[] requireSize(Object event, byte[] stored) {
		if (stored.length > this.maxSize.toBytes()) {
			throw new OutboxPublicationException(
					"Event %s has a payload of %d bytes, but outbox.max-payload-size is %d: publish a reference instead, or raise it (the broker has a limit too)"
						.formatted(event.getClass().getName(), stored.length, this.maxSize.toBytes()));
		}
		return stored;
	}

}
