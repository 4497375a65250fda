/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.UUID;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.publish.OutboxTransactionListener;
import io.orderedoutbox.store.Message;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * {@link Outbox} that remembers from which event each message was made.
 */
final class RecordingOutbox implements Outbox {

	private final Outbox outbox;

	private final MessageRecorder recorder;

	private final ObjectProvider<OutboxTransactionListener> transactions;

	RecordingOutbox(Outbox outbox, MessageRecorder recorder, ObjectProvider<OutboxTransactionListener> transactions) {
		this.outbox = outbox;
		this.recorder = recorder;
		this.transactions = transactions;
	}

	@Override
	public UUID publish(Object event, Stamp... stamps) {
		UUID messageId = this.outbox.publish(event, stamps);
		this.recorder.published(messageId, last(messageId),
				(event instanceof OutboxEnvelope<?> envelope) ? envelope.event() : event);
		return messageId;
	}

	private @Nullable Message last(UUID messageId) {
		return this.transactions.stream()
			.flatMap((transaction) -> transaction.pending().stream())
			.filter((message) -> message.messageId().equals(messageId))
			.reduce((earlier, later) -> later)
			.orElse(null);
	}

}
