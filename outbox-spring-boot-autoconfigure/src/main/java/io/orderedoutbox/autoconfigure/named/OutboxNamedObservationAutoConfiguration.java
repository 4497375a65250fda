/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import io.micrometer.observation.ObservationRegistry;
import io.orderedoutbox.observation.DefaultPublishObservationConvention;
import io.orderedoutbox.observation.DefaultRelayObservationConvention;
import io.orderedoutbox.observation.NamedPublishConvention;
import io.orderedoutbox.observation.NamedRelayConvention;
import io.orderedoutbox.observation.PublishObservationConvention;
import io.orderedoutbox.observation.RelayObservationConvention;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for observations of several
 * outboxes, which have its name as a key.
 */
@AutoConfiguration(
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnNamedOutbox
public final class OutboxNamedObservationAutoConfiguration {

	@Bean
	NamedOutboxCustomizer orderedOutboxNamedObservation(ObjectProvider<ObservationRegistry> registries,
			ObjectProvider<PublishObservationConvention> publish, ObjectProvider<RelayObservationConvention> relay) {
		return (collaborators, properties) -> registries.ifUnique((registry) -> {
			String outbox = collaborators.outbox();
			collaborators.give("orderedOutboxObservationRegistry", registry);
			collaborators.give("orderedOutboxPublishConvention",
					new NamedPublishConvention(publish.getIfUnique(DefaultPublishObservationConvention::new), outbox));
			collaborators.give("orderedOutboxRelayConvention",
					new NamedRelayConvention(relay.getIfUnique(DefaultRelayObservationConvention::new), outbox));
		});
	}

}
