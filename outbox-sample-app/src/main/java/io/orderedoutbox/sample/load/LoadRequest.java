/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.load;

import org.springframework.util.Assert;

/**
 * How much load to make.
 *
 * @param events how many events to commit
 * @param orders over how many orders, each placed first and shipped last
 * @param threads from how many threads
 */
public record LoadRequest(int events, int orders, int threads) {

	/**
	 * Create a request.
	 * @throws IllegalArgumentException if it asks for too little or too much
	 */
	public LoadRequest {
		Assert.isTrue(orders >= 1 && orders <= 1000, "'orders' must be between 1 and 1000");
		Assert.isTrue(events >= 2 * orders && events <= 20_000,
				"'events' must be between twice the number of orders and 20000");
		Assert.isTrue(threads >= 1 && threads <= 16, "'threads' must be between 1 and 16");
	}

	/**
	 * Return what the button of the page asks for.
	 * @return 1,000 events over 50 orders from 8 threads
	 */
	public static LoadRequest standard() {
		return new LoadRequest(1000, 50, 8);
	}

}
