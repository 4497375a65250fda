/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.Set;

import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.publish.MessageIdGenerator;
import io.orderedoutbox.publish.MessageNamingStrategy;
import io.orderedoutbox.publish.PayloadSerializer;
import io.orderedoutbox.publish.PublicationPolicy;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.store.Partitioner;
import tools.jackson.databind.JacksonModule;

import org.springframework.boot.jackson.JacksonComponent;
import org.springframework.boot.jackson.JacksonMixin;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/**
 * Leaves those components of the application out of an {@link OutboxTest} that do not
 * decide how events become messages.
 */
final class OutboxTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<OutboxTest> {

	private static final Set<Class<?>> KNOWN = Set.of(PublicationPolicy.class, MessageNamingStrategy.class,
			RoutingStrategy.class, PayloadSerializer.class, PayloadTransformer.class, MessageIdGenerator.class,
			Partitioner.class, JacksonComponent.class, JacksonMixin.class, JacksonModule.class,
			JsonMapperBuilderCustomizer.class);

	OutboxTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return KNOWN;
	}

}
