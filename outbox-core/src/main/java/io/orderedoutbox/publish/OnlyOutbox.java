/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.UUID;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.OutboxSuppression;
import io.orderedoutbox.Stamp;

/**
 * {@link Outbox} without a name: it refuses events whose type names another one. Such an
 * event would otherwise go to the wrong place where the properties of the other outbox
 * are missing, or are those of another application.
 */
public final class OnlyOutbox implements Outbox {

	private final OutboxOfType outboxOfType = new OutboxOfType();

	private final Outbox outbox;

	/**
	 * Create an outbox.
	 * @param outbox what events are handed to
	 */
	public OnlyOutbox(Outbox outbox) {
		this.outbox = outbox;
	}

	@Override
	public UUID publish(Object event, Stamp... stamps) {
		String name = this.outboxOfType.of(event.getClass());
		if (!name.isEmpty() && !name.equals(SeveralOutboxes.DEFAULT) && !OutboxSuppression.isActive()) {
			throw new OutboxPublicationException(
					"Event %s names the outbox '%s', and there is no such outbox here. Correct @OutboxMessage(outbox = \"%2$s\"), or configure outbox.named.%2$s.*"
						.formatted(event.getClass().getName(), name));
		}
		return this.outbox.publish(event, stamps);
	}

}
