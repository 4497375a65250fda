/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.nio.charset.StandardCharsets;

import io.orderedoutbox.payload.PayloadReference;

import org.springframework.util.Assert;

/**
 * A serialised event. A serializer hands over the array and does not touch it again.
 *
 * @param body the bytes that consumers receive
 * @param contentType the MIME type of the bytes, in ASCII, at most 255 characters
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy of each body would be
											// paid per event
public record Payload(byte[] body, String contentType) {

	/**
	 * Create a payload.
	 * @throws IllegalArgumentException if there is no body or no usable content type
	 */
	public Payload {
		Assert.notNull(body, "'body' must not be null");
		Assert.hasText(contentType, "'contentType' must not be empty");
		Assert.isTrue(contentType.chars().allMatch((character) -> character < 128),
				() -> "'contentType' must be ASCII, but is '%s'".formatted(contentType));
		Assert.isTrue(contentType.length() <= 255, "'contentType' must not be longer than 255 characters");
	}

	/**
	 * Return what is stored in place of a payload that a
	 * {@link io.orderedoutbox.payload.PayloadSource} loads when the message is relayed.
	 * It goes through no transformer when it is stored.
	 * @param id what the source finds the payload by, together with the name of the
	 * message
	 * @return the reference
	 * @throws IllegalArgumentException if the id is empty
	 */
	public static Payload reference(String id) {
		Assert.hasLength(id, "'id' must not be empty");
		return new Payload(id.getBytes(StandardCharsets.UTF_8), PayloadReference.CONTENT_TYPE);
	}

	boolean isReference() {
		return this.contentType.equals(PayloadReference.CONTENT_TYPE);
	}

}
