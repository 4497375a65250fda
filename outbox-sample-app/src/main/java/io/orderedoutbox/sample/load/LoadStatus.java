/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.load;

import org.jspecify.annotations.Nullable;

/**
 * How far the load is.
 *
 * @param running whether it is still being made
 * @param events how many events it is to commit
 * @param orders over how many orders
 * @param committed how many transactions it has committed, each with one event
 * @param rolledBack how many transactions it has rolled back on purpose after they had
 * published their event
 * @param failure why it ended early, if it did
 */
public record LoadStatus(boolean running, int events, int orders, int committed, int rolledBack,
		@Nullable String failure) {

	static LoadStatus none() {
		return new LoadStatus(false, 0, 0, 0, 0, null);
	}

}
