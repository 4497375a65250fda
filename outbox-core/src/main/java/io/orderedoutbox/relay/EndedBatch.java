/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import io.orderedoutbox.relay.batch.RelayBatch;
import org.jspecify.annotations.Nullable;

/**
 * A batch whose claim is closed.
 *
 * @param batch what came of it
 * @param failure why its messages were not all sent, or not all completed, {@code null}
 * if they were
 * @param more whether another batch is worth trying at once
 */
record EndedBatch(RelayBatch batch, @Nullable RuntimeException failure, boolean more) {

	/**
	 * Whether messages were published and removed from the outbox.
	 */
	boolean hasPublished() {
		return !this.batch.lost() && !this.batch.published().isEmpty();
	}

}
