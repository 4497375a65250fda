/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import io.micrometer.common.KeyValues;
import io.orderedoutbox.observation.OutboxObservation.HighCardinality;
import io.orderedoutbox.observation.OutboxObservation.LowCardinality;
import io.orderedoutbox.store.Message;

/**
 * {@link RelayObservationConvention} with the documented names.
 */
public class DefaultRelayObservationConvention implements RelayObservationConvention {

	@Override
	public String getName() {
		return "outbox.message.relay";
	}

	@Override
	public String getContextualName(RelayObservationContext context) {
		return context.getMessage().message().name() + " relay";
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(RelayObservationContext context) {
		Message message = context.getMessage().message();
		return KeyValues.of(LowCardinality.NAME.withValue(message.name()),
				LowCardinality.EXCHANGE.withValue(message.destination().exchange()),
				LowCardinality.OUTCOME.withValue(context.getOutcome()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(RelayObservationContext context) {
		Message message = context.getMessage().message();
		return KeyValues.of(HighCardinality.MESSAGE_ID.withValue(message.messageId().toString()),
				HighCardinality.ROUTING_KEY.withValue(message.destination().routingKey()));
	}

}
