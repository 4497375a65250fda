/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

/**
 * Matches unless something else has an endpoint with the id {@code inbox}.
 */
public final class InboxEndpointIdIsFreeCondition extends EndpointIdIsFreeCondition {

	InboxEndpointIdIsFreeCondition() {
		super("inbox");
	}

}
