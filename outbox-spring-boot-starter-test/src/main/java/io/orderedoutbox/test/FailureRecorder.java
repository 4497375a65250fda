/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.relay.RelayListener;
import io.orderedoutbox.relay.batch.RelayBatch;

/**
 * Records which messages were not sent, and what became of them.
 */
final class FailureRecorder implements RelayListener {

	private final MessageRecorder recorder;

	FailureRecorder(MessageRecorder recorder) {
		this.recorder = recorder;
	}

	// What became of the messages of a lost batch was not stored
	@Override
	public void batchEnded(RelayBatch batch) {
		if (!batch.lost()) {
			batch.failed()
				.forEach((failed) -> this.recorder.failed(failed.message().message(), failed.consequence().fate()));
		}
	}

}
