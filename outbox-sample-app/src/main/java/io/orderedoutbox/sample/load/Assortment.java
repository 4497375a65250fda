/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.load;

import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.orderedoutbox.sample.order.OrderLine;

/**
 * Customers and products to make load with.
 */
final class Assortment {

	private static final List<String> CUSTOMERS = List.of("Ada", "Alan", "Barbara", "Donald", "Edsger", "Frances",
			"Grace", "John", "Leslie", "Margaret", "Niklaus", "Tony");

	private static final List<String> PRODUCTS = List.of("Assam", "Ceylon", "Darjeeling", "Earl Grey", "Jasmine",
			"Lapsang", "Oolong", "Rooibos", "Sencha", "Yunnan");

	private Assortment() {
	}

	static String customer() {
		return anyOf(CUSTOMERS);
	}

	static OrderLine line() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return new OrderLine(anyOf(PRODUCTS), random.nextInt(1, 5), BigDecimal.valueOf(random.nextLong(290, 1990), 2));
	}

	private static String anyOf(List<String> values) {
		return values.get(ThreadLocalRandom.current().nextInt(values.size()));
	}

}
