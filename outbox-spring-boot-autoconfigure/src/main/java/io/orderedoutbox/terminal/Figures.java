/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import io.orderedoutbox.relay.RelayStatus;
import io.orderedoutbox.store.Backlog;
import org.jspecify.annotations.Nullable;

/**
 * What the summary shows, all of it at one moment.
 *
 * @param relay what the relay of this instance does
 * @param waiting what waits in the outbox, {@code null} if that is not known
 * @param published how much this instance publishes
 * @param failures what has failed on this instance
 */
record Figures(RelayStatus relay, @Nullable Waiting waiting, Published published, RecentFailures.Report failures) {

	/**
	 * What waits.
	 *
	 * @param backlog what waited when the sampler last looked
	 * @param highest the highest backlog since it was last empty
	 */
	record Waiting(Backlog backlog, long highest) {

		/**
		 * Return how much of the highest backlog is done, from 0 to 1.
		 */
		double done() {
			return (this.highest > 0) ? 1 - (double) this.backlog.depth() / this.highest : 1;
		}

	}

	/**
	 * Published messages.
	 *
	 * @param lastSeconds how many in a second, over the last ten
	 * @param lastMinute how many in a second, over the last minute
	 */
	record Published(double lastSeconds, double lastMinute) {

	}

}
