/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Before when a message is not sent, by the clock of the store.
 *
 * @param until the time, {@code null} if it is counted from the moment in which the
 * message is stored
 * @param duration for how long from that moment, zero if there is a time
 */
public record Delay(@Nullable Instant until, Duration duration) {

	/**
	 * No delay.
	 */
	public static final Delay NONE = new Delay(null, Duration.ZERO);

	/**
	 * Return a delay that is counted from the moment in which the message is stored.
	 * @param duration for how long
	 * @return the delay
	 */
	public static Delay of(Duration duration) {
		return new Delay(null, duration);
	}

	/**
	 * Return a delay that ends at a time.
	 * @param time when
	 * @return the delay
	 */
	public static Delay until(Instant time) {
		return new Delay(time, Duration.ZERO);
	}

	/**
	 * Return whether the message need not wait.
	 * @return {@code true} for no delay
	 */
	public boolean isNone() {
		return equals(NONE);
	}

}
