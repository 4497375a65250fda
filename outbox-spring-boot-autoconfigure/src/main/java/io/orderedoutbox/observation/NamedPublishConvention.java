/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import io.micrometer.common.KeyValues;
import io.orderedoutbox.observation.OutboxObservation.LowCardinality;

/**
 * A convention with the name of the outbox as a further key.
 *
 * @param convention the convention for any outbox
 * @param outbox the name of this one
 */
public record NamedPublishConvention(PublishObservationConvention convention,
		String outbox) implements PublishObservationConvention {

	@Override
	public String getName() {
		return String.valueOf(this.convention.getName());
	}

	@Override
	public String getContextualName(PublishContext context) {
		return String.valueOf(this.convention.getContextualName(context));
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(PublishContext context) {
		return this.convention.getLowCardinalityKeyValues(context).and(LowCardinality.OUTBOX.withValue(this.outbox));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(PublishContext context) {
		return this.convention.getHighCardinalityKeyValues(context);
	}

}
