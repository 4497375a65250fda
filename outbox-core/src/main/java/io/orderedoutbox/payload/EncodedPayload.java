/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.util.HashMap;
import java.util.Map;

/**
 * A payload that {@link PayloadTransformers} have changed.
 *
 * @param body the bytes
 * @param forConsumer the names of what a consumer undoes, in the order in which it was
 * done, joined by commas; empty for nothing
 * @param forRelay the same for what the relay undoes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EncodedPayload(byte[] body, String forConsumer, String forRelay) {

	/**
	 * Name of the header that says what a consumer undoes. When the message is sent, it
	 * is the AMQP property {@code content_encoding}.
	 */
	public static final String CONSUMER_HEADER = "amqp:content-encoding";

	/**
	 * Name of the header that says what the relay undoes before it sends the message. It
	 * never leaves the outbox.
	 */
	public static final String RELAY_HEADER = "outbox:encoding";

	/**
	 * Return headers that say what has been done.
	 * @param headers other headers, which stay
	 * @return all headers
	 */
	public Map<String, Object> headers(Map<String, Object> headers) {
		Map<String, Object> all = new HashMap<>(headers);
		if (!this.forConsumer.isEmpty()) {
			all.put(CONSUMER_HEADER, this.forConsumer);
		}
		if (!this.forRelay.isEmpty()) {
			all.put(RELAY_HEADER, this.forRelay);
		}
		return all;
	}

}
