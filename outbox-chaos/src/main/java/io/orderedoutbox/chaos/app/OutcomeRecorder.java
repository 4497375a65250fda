/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.nio.file.Path;

import io.orderedoutbox.inbox.InboxListener;
import io.orderedoutbox.inbox.InboxOutcome;

import org.springframework.beans.factory.annotation.Value;

/**
 * Writes down every delivery that had no effect, and why.
 */
final class OutcomeRecorder implements InboxListener {

	private final TraceFile outcomes;

	OutcomeRecorder(@Value("${chaos.directory}") Path directory, @Value("${chaos.life}") String life) {
		this.outcomes = new TraceFile(directory.resolve(life + ".outcomes"));
	}

	@Override
	public void delivered(String consumer, InboxOutcome outcome) {
		if (outcome != InboxOutcome.PROCESSED) {
			this.outcomes.add(outcome.name());
		}
	}

}
