/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and keys of {@link OutboxObservation#RELAY}. Declare a bean of this type to
 * replace the default, {@link DefaultRelayObservationConvention}.
 */
public interface RelayObservationConvention extends ObservationConvention<RelayObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RelayObservationContext;
	}

}
