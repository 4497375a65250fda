/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import io.micrometer.common.KeyValues;
import io.orderedoutbox.observation.OutboxObservation.HighCardinality;
import io.orderedoutbox.observation.OutboxObservation.LowCardinality;

/**
 * {@link PublishObservationConvention} with the documented names.
 */
public class DefaultPublishObservationConvention implements PublishObservationConvention {

	@Override
	public String getName() {
		return "outbox.message.publish";
	}

	@Override
	public String getContextualName(PublishContext context) {
		return context.getMessageName() + " publish";
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(PublishContext context) {
		return KeyValues.of(LowCardinality.NAME.withValue(context.getMessageName()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(PublishContext context) {
		return (context.getMessageId() != null)
				? KeyValues.of(HighCardinality.MESSAGE_ID.withValue(context.getMessageId().toString()))
				: KeyValues.empty();
	}

}
