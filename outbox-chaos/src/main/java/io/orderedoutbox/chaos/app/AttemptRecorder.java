/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.nio.file.Path;

import io.orderedoutbox.relay.batch.RelayBatch;
import io.orderedoutbox.relay.RelayListener;
import io.orderedoutbox.store.FailedMessage.Fate;

import org.springframework.beans.factory.annotation.Value;

/**
 * Writes down every attempt that a relay counted, and why.
 */
final class AttemptRecorder implements RelayListener {

	private final TraceFile attempts;

	AttemptRecorder(@Value("${chaos.directory}") Path directory, @Value("${chaos.life}") String life) {
		this.attempts = new TraceFile(directory.resolve(life + ".attempts"));
	}

	@Override
	public void batchEnded(RelayBatch batch) {
		if (!batch.lost()) {
			batch.failed()
				.stream()
				.map(RelayBatch.Failed::consequence)
				.filter((message) -> message.fate() != Fate.POSTPONED)
				.forEach((message) -> this.attempts.add(message.fate() + " " + message.error()));
		}
	}

}
