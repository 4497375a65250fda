/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import io.orderedoutbox.relay.batch.RelayBatch;

/**
 * Is told what a relay does. Declare beans of this type to hear it.
 * <p>
 * The relay calls the listener on the threads of the workers, once for each batch and not
 * for each message. The relay waits for the listener, which must neither block nor ask
 * the database. What the listener throws is logged and changes nothing.
 */
public interface RelayListener {

	/**
	 * A batch has ended, well or not.
	 * @param batch what came of it
	 */
	default void batchEnded(RelayBatch batch) {
	}

	/**
	 * A worker has looked for messages and found nothing to claim.
	 */
	default void nothingFound() {
	}

	/**
	 * An idle worker was woken by a commit, before it would have looked by itself.
	 */
	default void woken() {
	}

}
