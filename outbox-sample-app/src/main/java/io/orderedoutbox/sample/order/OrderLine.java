/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

import java.math.BigDecimal;
import java.math.RoundingMode;

import org.springframework.util.Assert;

/**
 * A line of an order.
 *
 * @param product the product
 * @param quantity how many of it
 * @param unitPrice what one costs
 */
public record OrderLine(String product, int quantity, BigDecimal unitPrice) {

	/**
	 * Create a line.
	 * @throws IllegalArgumentException if a value is not acceptable
	 */
	public OrderLine {
		Assert.hasText(product, "'product' must not be empty");
		Assert.isTrue(product.length() <= 100, "'product' must not be longer than 100 characters");
		Assert.isTrue(quantity >= 1 && quantity <= 1000, "'quantity' must be between 1 and 1000");
		Assert.isTrue(unitPrice != null && unitPrice.signum() >= 0 && unitPrice.compareTo(new BigDecimal("10000")) <= 0,
				"'unitPrice' must be between 0 and 10000");
		unitPrice = unitPrice.setScale(2, RoundingMode.HALF_UP);
	}

	/**
	 * Return what the line costs.
	 * @return the quantity times the price of one
	 */
	public BigDecimal total() {
		return this.unitPrice.multiply(BigDecimal.valueOf(this.quantity));
	}

}
