/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import io.orderedoutbox.relay.Batch;
import io.orderedoutbox.relay.OneShotResult;

/**
 * Says what a one-shot relay does, a line for each batch and one at the end.
 */
public interface OneShotOutput {

	/**
	 * Say nothing.
	 */
	OneShotOutput SILENT = new OneShotOutput() {

		@Override
		public void batch(Batch batch, int workers) {
		}

		@Override
		public void end(OneShotResult result) {
		}

	};

	/**
	 * A batch is complete.
	 * @param batch the batch
	 * @param workers how many workers there are
	 */
	void batch(Batch batch, int workers);

	/**
	 * The relay is done.
	 * @param result what was done
	 */
	void end(OneShotResult result);

}
