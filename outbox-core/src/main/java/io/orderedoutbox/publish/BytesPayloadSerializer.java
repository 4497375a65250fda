/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.nio.charset.StandardCharsets;

/**
 * {@link PayloadSerializer} that passes on what is serialised already: an event that is a
 * {@code byte[]} or a {@code String} is stored as it is. Another serializer makes the
 * payloads of all other events.
 * <p>
 * A {@link MessageNamingStrategy} of the application has to give such events a name,
 * since their class has none. A record that contains the bytes has a name of its own, and
 * can have a key: for such records write a serializer of your own.
 */
public final class BytesPayloadSerializer implements PayloadSerializer {

	private final PayloadSerializer others;

	/**
	 * Create a serializer.
	 * @param others makes the payloads of all other events
	 */
	public BytesPayloadSerializer(PayloadSerializer others) {
		this.others = others;
	}

	/**
	 * Serialise an event.
	 * @param event the event. Of an array a copy is taken, because it may change before
	 * the transaction commits
	 * @return bytes as {@code application/octet-stream}, a text in UTF-8 as
	 * {@code text/plain;charset=UTF-8}, anything else as the other serializer makes it
	 */
	@Override
	public Payload serialize(Object event) {
		if (event instanceof byte[] bytes) {
			return new Payload(bytes.clone(), "application/octet-stream");
		}
		return (event instanceof String text)
				? new Payload(text.getBytes(StandardCharsets.UTF_8), "text/plain;charset=UTF-8")
				: this.others.serialize(event);
	}

}
