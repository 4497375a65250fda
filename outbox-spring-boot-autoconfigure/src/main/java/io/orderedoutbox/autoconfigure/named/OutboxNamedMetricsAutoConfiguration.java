/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.orderedoutbox.autoconfigure.condition.OutboxNames;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the metrics of several outboxes:
 * each meter has a tag with the name of its outbox. So has that of the one without a
 * name, because meters of one name must have the same tags.
 */
@AutoConfiguration(
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnNamedOutbox
public final class OutboxNamedMetricsAutoConfiguration {

	private static final String TAG = "outbox";

	// The registry of the application is in it, and must not be closed with it: it is no
	// bean
	@Bean
	NamedOutboxCustomizer orderedOutboxNamedMetrics(ObjectProvider<MeterRegistry> registries) {
		return (collaborators, properties) -> registries.ifUnique((registry) -> {
			CompositeMeterRegistry tagged = new CompositeMeterRegistry(Clock.SYSTEM);
			tagged.config().commonTags(TAG, collaborators.outbox());
			tagged.add(registry);
			collaborators.give("orderedOutboxMeterRegistry", tagged);
		});
	}

	@Bean
	static MeterFilter orderedOutboxDefaultTag() {
		return new MeterFilter() {

			@Override
			public Meter.Id map(Meter.Id id) {
				return (id.getName().startsWith("outbox.") && id.getTag(TAG) == null)
						? id.withTag(Tag.of(TAG, OutboxNames.DEFAULT)) : id;
			}

		};
	}

}
