/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

import java.util.UUID;

/**
 * Thrown when there is no such order.
 */
public final class OrderNotFoundException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	OrderNotFoundException(UUID id) {
		super("There is no order " + id);
	}

}
