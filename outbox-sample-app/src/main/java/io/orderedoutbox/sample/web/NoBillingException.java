/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

/**
 * Thrown when billing is asked for something where there is none.
 */
final class NoBillingException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NoBillingException() {
		super("There is no billing on this broker: start the sample with the profile docker or services");
	}

}
