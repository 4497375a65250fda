/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and keys of {@link OutboxObservation#PUBLISH}. Declare a bean of this type to
 * replace the default, {@link DefaultPublishObservationConvention}.
 */
public interface PublishObservationConvention extends ObservationConvention<PublishContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof PublishContext;
	}

}
