/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.orderedoutbox.relay.batch.RelayBatch;
import io.orderedoutbox.relay.RelayListener;
import io.orderedoutbox.store.FailedMessage;

/**
 * Remembers what the relay of one application has told its store: which messages were
 * published, and which have failed.
 */
public final class RelayRecorder implements RelayListener {

	private final List<Long> published = new CopyOnWriteArrayList<>();

	private final List<FailedMessage> failures = new CopyOnWriteArrayList<>();

	/**
	 * The positions of the messages that were published.
	 */
	public List<Long> published() {
		return this.published;
	}

	/**
	 * The failures that counted as attempts.
	 */
	public List<FailedMessage> failures() {
		return this.failures;
	}

	@Override
	public void batchEnded(RelayBatch batch) {
		if (!batch.lost()) {
			batch.published().forEach((published) -> this.published.add(published.message().id()));
			batch.failed().forEach((failed) -> this.failures.add(failed.consequence()));
		}
	}

}
