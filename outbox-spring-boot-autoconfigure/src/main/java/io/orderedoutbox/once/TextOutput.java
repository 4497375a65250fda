/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import java.io.PrintStream;
import java.time.Duration;

import io.orderedoutbox.relay.Batch;
import io.orderedoutbox.relay.OneShotResult;
import io.orderedoutbox.relay.OneShotResult.Totals;

/**
 * {@link OneShotOutput} for people.
 */
public final class TextOutput implements OneShotOutput {

	private final PrintStream out;

	/**
	 * Create an output.
	 * @param out where it goes
	 */
	public TextOutput(PrintStream out) {
		this.out = out;
	}

	@Override
	public void batch(Batch batch, int workers) {
		Duration whole = batch.claim().plus(batch.send()).plus(batch.complete());
		this.out.println("Worker %d of %d: %d claimed, %d published, %d failed in %d ms".formatted(batch.worker(),
				workers, batch.claimed(), batch.published(), batch.failed(), whole.toMillis()));
	}

	@Override
	public void end(OneShotResult result) {
		Totals totals = result.totals();
		String error = (result.error() != null) ? ": " + result.error() : "";
		this.out.println("%d published, %d failed in %d ms. %s%s".formatted(totals.published(), totals.failed(),
				result.duration().toMillis(), reason(result), error));
	}

	private static String reason(OneShotResult result) {
		return switch (result.ending()) {
			case DRAINED -> "Nothing more is due";
			case LIMIT -> "The limit is reached";
			case TIME_LIMIT -> "The time is up";
			case STOPPED -> "It was stopped";
			case UNREACHABLE -> "There is no connection to broker or database, messages are kept";
			case BROKEN -> "A worker failed, messages are kept";
		};
	}

}
