/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;

import io.orderedoutbox.inbox.listener.KeyDispatcher.Work;
import org.jspecify.annotations.Nullable;

/**
 * Work of a dispatcher that comes from no broker.
 */
abstract class DispatchedStep implements Work {

	/**
	 * A step that is done when it has run.
	 */
	static DispatchedStep of(Runnable step) {
		return new DispatchedStep() {

			@Override
			public @Nullable Duration run() {
				step.run();
				return null;
			}

		};
	}

	@Override
	public String queue() {
		return "queue";
	}

	@Override
	public boolean isVoid() {
		return false;
	}

	@Override
	public boolean hasFailed() {
		return false;
	}

}
