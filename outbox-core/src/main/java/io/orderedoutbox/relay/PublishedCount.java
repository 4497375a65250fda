/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.concurrent.atomic.LongAdder;

import io.orderedoutbox.relay.batch.RelayBatch;

/**
 * Counts what a relay has published and taken out of the outbox.
 */
final class PublishedCount implements RelayListener {

	private final LongAdder total = new LongAdder();

	@Override
	public void batchEnded(RelayBatch batch) {
		if (!batch.lost()) {
			this.total.add(batch.published().size());
		}
	}

	long total() {
		return this.total.sum();
	}

}
