/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message with what it carries, as it is stored.
 *
 * @param message the message
 * @param contentType the type of the payload
 * @param headers the headers of its own: text, truth values and numbers; if they cannot
 * be read, the column under the name {@value #UNREADABLE}
 * @param payload the beginning of the payload, as much as was asked for
 * @param payloadSize the size of the whole payload in bytes
 */
@SuppressWarnings("ArrayRecordComponent")
public record MessageContent(MessageSummary message, String contentType, Map<String, Object> headers, byte[] payload,
		long payloadSize) {

	/**
	 * Stands for a name where headers are damaged.
	 */
	public static final String UNREADABLE = "(unreadable)";

	/**
	 * Create content.
	 */
	public MessageContent {
		headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
	}

}
