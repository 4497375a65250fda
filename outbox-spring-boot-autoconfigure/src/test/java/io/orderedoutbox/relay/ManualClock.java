/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A clock that a test moves. It goes on by a nanosecond whenever it is read, so that no
 * two moments are the same.
 */
public final class ManualClock implements LongSupplier {

	// So that a time can be negative, as that of the system
	private static final long START = -Duration.ofHours(1).toNanos();

	private long now = START;

	@Override
	public long getAsLong() {
		return this.now++;
	}

	public void advance(Duration duration) {
		this.now += duration.toNanos();
	}

	public void advanceTo(long time) {
		this.now = Math.max(this.now, time);
	}

	/**
	 * The milliseconds since the clock was made, without moving it.
	 */
	public long millis() {
		return Duration.ofNanos(this.now - START).toMillis();
	}

}
