/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.figure;

/**
 * What a figure must be.
 *
 * @param atLeast whether more is better
 * @param bound the bound, of the ratio to the limit where the figure has one, else of the
 * figure itself
 */
public record Goal(boolean atLeast, double bound) {

	public static Goal atLeast(double bound) {
		return new Goal(true, bound);
	}

	public static Goal atMost(double bound) {
		return new Goal(false, bound);
	}

	boolean isReached(double value) {
		return this.atLeast ? value >= this.bound : value <= this.bound;
	}

	@Override
	public String toString() {
		return (this.atLeast ? ">= " : "<= ") + Figure.text(this.bound);
	}

}
