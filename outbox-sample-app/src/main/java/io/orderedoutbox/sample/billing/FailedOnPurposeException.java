/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.util.UUID;

/**
 * Thrown while the handler is to fail. It has no stack trace, which would say nothing and
 * fill the log.
 */
final class FailedOnPurposeException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	FailedOnPurposeException(UUID orderId) {
		super("Billing fails for the order %s until it is told to stop: DELETE /api/billing/failure".formatted(orderId),
				null, false, false);
	}

}
