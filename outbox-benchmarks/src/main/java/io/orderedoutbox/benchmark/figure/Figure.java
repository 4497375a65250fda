/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.figure;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * One measured figure.
 *
 * @param scenario where it was measured
 * @param what what it is
 * @param value the median of the rounds
 * @param unit the unit of value and limit
 * @param limit what it stands beside, measured in the same rounds
 * @param goal what it must be, or null where it is only to be known
 */
public record Figure(String scenario, String what, double value, String unit, @Nullable Limit limit,
		@Nullable Goal goal) {

	/**
	 * The figure as a part of its limit, or itself where it has none.
	 */
	public double judged() {
		return (this.limit != null) ? this.limit.ratio() : this.value;
	}

	@JsonIgnore // the report has the goal and the value
	public boolean isReached() {
		return this.goal == null || this.goal.isReached(judged());
	}

	public static String text(double value) {
		return String.format(Locale.ROOT,
				(Math.abs(value) >= 100) ? "%,.0f" : (Math.abs(value) >= 10) ? "%.1f" : "%.3f", value);
	}

	/**
	 * What the servers can do without an outbox.
	 *
	 * @param what how it was found
	 * @param value the median of the rounds
	 * @param ratio how much of it the figure is: the median of what it was in each round,
	 * since a machine that is slow for a round is slow for both
	 */
	public record Limit(String what, double value, double ratio) {

	}

}
