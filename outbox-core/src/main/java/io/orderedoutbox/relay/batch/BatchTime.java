/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.util.function.LongSupplier;

import io.orderedoutbox.store.Claim;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a worker sends the messages of one claim.
 * <ol>
 * <li>The time begins with the first message that leaves, but for a suspect that is put
 * to the test: a sender that connects for each batch, or a suspect that is not answered,
 * would leave no time for the others otherwise.</li>
 * <li>After {@link WorkerSettings#batchTime} the time is over.</li>
 * <li>After a tenth of that the time is over if eight keys or fewer are left and there is
 * something else to claim. So a few keys with many messages do not keep the others
 * waiting, and a worker that mostly waits for confirms gets more to do.</li>
 * </ol>
 */
final class BatchTime {

	private static final int SHARE = 10;

	// With more of them the worker has enough to send
	private static final int FEW = 8;

	private final Claim claim;

	private final WorkerSettings settings;

	private final LongSupplier clock;

	// Null as long as the time has not begun
	private @Nullable Long begunAt;

	BatchTime(Claim claim, WorkerSettings settings, LongSupplier clock) {
		this.claim = claim;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * The time begins, if it has not begun before.
	 */
	void begin() {
		if (this.begunAt == null) {
			this.begunAt = this.clock.getAsLong();
		}
	}

	/**
	 * Whether the time is over.
	 * @param active how many keys have a message in flight, or may send their next
	 */
	boolean isOver(int active) {
		if (this.begunAt == null) {
			return false;
		}
		long length = this.settings.batchTime().toNanos();
		long elapsed = this.clock.getAsLong() - this.begunAt;
		return elapsed >= length || (elapsed >= length / SHARE && active <= FEW && this.claim.moreIsWaiting());
	}

}
