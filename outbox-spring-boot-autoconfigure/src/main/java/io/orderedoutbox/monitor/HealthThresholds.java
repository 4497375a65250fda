/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.store.Backlog;
import org.jspecify.annotations.Nullable;

/**
 * From where on the outbox is not healthy any more. A threshold of zero is none; what is
 * not known exceeds none.
 *
 * @param lag the lag
 * @param depth the number of messages, without those for whose time their keys wait
 * @param blockedKeys the number of blocked keys
 * @param stalled for how long the oldest of the stalled messages could have been sent
 * @param deadLetters the number of dead letters
 * @param outage the duration of an outage
 * @param severity what the outbox is then
 */
public record HealthThresholds(Duration lag, long depth, long blockedKeys, Duration stalled, long deadLetters,
		Duration outage, Severity severity) {

	/**
	 * Say which thresholds have been reached.
	 */
	List<String> reached(@Nullable Backlog backlog, @Nullable Outage outage) {
		List<String> reached = new ArrayList<>();
		if (backlog != null) {
			check(reached, "lag", backlog.lag(), this.lag);
			checkDepth(reached, backlog);
			check(reached, "blocked keys", backlog.blockedKeys(), this.blockedKeys);
			check(reached, "oldest stalled message", backlog.stalledFor(), this.stalled);
			check(reached, "dead letters", backlog.deadLetters(), this.deadLetters);
		}
		if (outage != null) {
			check(reached, "outage", outage.duration(), this.outage);
		}
		return reached;
	}

	// What is delayed waits as it should. Where not all of it was counted, nobody knows
	// how much else there is
	private void checkDepth(List<String> reached, Backlog backlog) {
		if (backlog.delayedKeys() < Backlog.MAX_COUNT) {
			check(reached, "depth", backlog.depth() - backlog.delayedKeys(), this.depth);
		}
	}

	private static void check(List<String> reached, String what, Duration value, Duration threshold) {
		if (!threshold.isZero() && value.compareTo(threshold) >= 0) {
			reached.add("%s is %d s, from %d s on it counts".formatted(what, value.toSeconds(), threshold.toSeconds()));
		}
	}

	private static void check(List<String> reached, String what, long value, long threshold) {
		if (threshold > 0 && value >= threshold) {
			reached.add("%s is %d, from %d on it counts".formatted(what, value, threshold));
		}
	}

	/**
	 * How bad it is to reach a threshold.
	 */
	public enum Severity {

		/**
		 * The outbox is down.
		 */
		DOWN,

		/**
		 * The outbox is out of service.
		 */
		OUT_OF_SERVICE,

		/**
		 * The outbox is up all the same, and only says which thresholds have been
		 * reached.
		 */
		UP

	}

}
