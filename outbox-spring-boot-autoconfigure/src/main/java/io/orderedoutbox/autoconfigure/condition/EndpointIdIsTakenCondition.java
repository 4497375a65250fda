/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;

/**
 * Matches if something else has an endpoint with the id {@code outbox}.
 */
public final class EndpointIdIsTakenCondition extends NoneNestedConditions {

	EndpointIdIsTakenCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@Conditional(EndpointIdIsFreeCondition.class)
	static class IsFree {

	}

}
