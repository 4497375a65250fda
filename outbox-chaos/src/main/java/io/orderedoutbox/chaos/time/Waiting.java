/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.time;

import java.time.Duration;
import java.util.Random;
import java.util.function.BooleanSupplier;

import org.springframework.util.Assert;

/**
 * Lets time pass.
 */
public final class Waiting {

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

	private Waiting() {
	}

	/**
	 * Let time pass.
	 * @param time how long
	 */
	public static void sleep(Duration time) {
		try {
			Thread.sleep(time.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while time should pass", ex);
		}
	}

	/**
	 * Let an amount of time pass that lies between two bounds.
	 * @param random decides how much
	 * @param min the least
	 * @param max the most
	 */
	public static void sleep(Random random, Duration min, Duration max) {
		sleep(between(random, min, max));
	}

	/**
	 * Choose an amount of time.
	 * @param random decides
	 * @param min the least
	 * @param max the most
	 * @return the time
	 */
	public static Duration between(Random random, Duration min, Duration max) {
		return min.plusMillis((long) (max.minus(min).toMillis() * random.nextDouble()));
	}

	/**
	 * Wait for something to become true.
	 * @param what what becomes true, in words
	 * @param patience the longest time to wait
	 * @param condition whether it is true
	 * @throws IllegalStateException if it does not in that time
	 */
	public static void until(String what, Duration patience, BooleanSupplier condition) {
		long deadline = System.nanoTime() + patience.toNanos();
		while (!condition.getAsBoolean()) {
			Assert.state(System.nanoTime() - deadline < 0,
					() -> "Waited %s in vain until %s".formatted(patience, what));
			sleep(BETWEEN_LOOKS);
		}
	}

}
