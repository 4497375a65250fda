/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import org.springframework.util.Assert;

/**
 * A payload from a {@link PayloadSource}. The source hands over the array and does not
 * touch it again.
 *
 * @param body the bytes that consumers receive
 * @param contentType the MIME type of the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LoadedPayload(byte[] body, String contentType) {

	/**
	 * Create a payload.
	 * @throws IllegalArgumentException if there is no body or no content type
	 */
	public LoadedPayload {
		Assert.notNull(body, "'body' must not be null");
		Assert.hasText(contentType, "'contentType' must not be empty");
	}

}
