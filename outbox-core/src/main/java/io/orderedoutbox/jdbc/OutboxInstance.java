/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;

/**
 * A process that uses the outbox.
 *
 * @param host name of its host
 * @param pid id of its process
 * @param ordered whether it keeps the order of partition keys
 * @param uptime how long ago its process started
 */
public record OutboxInstance(String host, long pid, boolean ordered, Duration uptime) {

	private static final Duration TOLERANCE = Duration.ofSeconds(1);

	@Override
	public String toString() {
		return "process %d on host %s".formatted(this.pid, this.host);
	}

	/**
	 * Whether another instance can tell at once that this one has ended: it was on the
	 * same host, and its process is gone, or had the same number and started earlier, as
	 * in a container that was started again.
	 */
	boolean isSeenToHaveEnded(OutboxInstance other) {
		if (!this.host.equals(other.host)) {
			return false;
		}
		return (this.pid == other.pid) ? this.uptime.compareTo(other.uptime.plus(TOLERANCE)) > 0
				: ProcessHandle.of(this.pid).isEmpty();
	}

}
