/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import org.jspecify.annotations.Nullable;

/**
 * Context of an event that is published. The trace goes into the headers of the message.
 */
public final class PublishContext extends SenderContext<Map<String, String>> {

	private final String messageName;

	private @Nullable UUID messageId;

	PublishContext(String messageName) {
		super((headers, name, value) -> {
			if (headers != null) {
				headers.put(name, value);
			}
		}, Kind.PRODUCER);
		this.messageName = messageName;
		setCarrier(new LinkedHashMap<>());
	}

	/**
	 * Return the name of the message.
	 * @return the name
	 */
	public String getMessageName() {
		return this.messageName;
	}

	/**
	 * Return the id of the message.
	 * @return the id, or {@code null} before the message is made
	 */
	public @Nullable UUID getMessageId() {
		return this.messageId;
	}

	void setMessageId(UUID messageId) {
		this.messageId = messageId;
	}

}
