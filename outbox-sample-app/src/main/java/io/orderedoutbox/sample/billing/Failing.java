/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * For which orders the handler fails: for one, or for some of all.
 *
 * @param orderId the order, null for some of all
 * @param oneIn how many orders one is chosen of, by its id; null for the order alone
 */
public record Failing(@Nullable UUID orderId, @Nullable Integer oneIn) {

	/**
	 * Create it.
	 * @throws IllegalArgumentException if it says both or neither, or chooses one of
	 * fewer than 1 or more than 1000
	 */
	public Failing {
		Assert.isTrue((orderId != null) != (oneIn != null), "Either 'orderId' or 'oneIn' must be given");
		Assert.isTrue(oneIn == null || (oneIn >= 1 && oneIn <= 1000), "'oneIn' must be between 1 and 1000");
	}

	boolean isFor(UUID order) {
		return (this.oneIn != null) ? Math.floorMod(order.hashCode(), this.oneIn) == 0 : order.equals(this.orderId);
	}

}
