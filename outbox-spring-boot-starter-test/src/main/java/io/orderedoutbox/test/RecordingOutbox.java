/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.UUID;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.Stamp;

/**
 * {@link Outbox} that remembers from which event each message was made.
 */
final class RecordingOutbox implements Outbox {

	private final Outbox outbox;

	private final MessageRecorder recorder;

	RecordingOutbox(Outbox outbox, MessageRecorder recorder) {
		this.outbox = outbox;
		this.recorder = recorder;
	}

	@Override
	public UUID publish(Object event, Stamp... stamps) {
		UUID messageId = this.outbox.publish(event, stamps);
		this.recorder.published(messageId, (event instanceof OutboxEnvelope<?> envelope) ? envelope.event() : event);
		return messageId;
	}

}
