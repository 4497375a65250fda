/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

/**
 * How many there are, counted up to a limit.
 *
 * @param count as many as were counted
 * @param more whether there are more than that
 */
public record BoundedCount(long count, boolean more) {

	/**
	 * What was counted up to one beyond a limit.
	 * @param counted what was counted
	 * @param limit the limit
	 * @return the count
	 */
	public static BoundedCount of(long counted, long limit) {
		return new BoundedCount(Math.min(counted, limit), counted > limit);
	}

}
