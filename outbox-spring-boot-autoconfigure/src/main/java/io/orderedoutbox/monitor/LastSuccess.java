/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Instant;

import io.orderedoutbox.relay.batch.RelayBatch;
import io.orderedoutbox.relay.RelayListener;
import org.jspecify.annotations.Nullable;

/**
 * Remembers when this instance last published something, by its own clock: for eyes only.
 */
public final class LastSuccess implements RelayListener {

	private volatile @Nullable Instant time;

	@Override
	public void batchEnded(RelayBatch batch) {
		if (!batch.lost() && !batch.published().isEmpty()) {
			this.time = Instant.now();
		}
	}

	/**
	 * Return when something was last published.
	 * @return the time, or {@code null} if nothing was since the start
	 */
	public @Nullable Instant time() {
		return this.time;
	}

}
