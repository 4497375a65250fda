/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxIdentity;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.monitor.BacklogSampler;
import io.orderedoutbox.monitor.OutboxMeters;
import io.orderedoutbox.monitor.RelayMetrics;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.store.RelayStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the metrics of the outbox.
 */
@EachOutbox
@AutoConfiguration(after = OutboxMonitorAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnSwitch(Switch.OUTBOX)
public final class OutboxMetricsAutoConfiguration {

	@Bean
	@NotInParentContext
	OutboxMeters orderedOutboxMeters(ObjectProvider<BacklogSampler> sampler, ObjectProvider<OutboxRelay> relay) {
		return new OutboxMeters(sampler.getIfAvailable(), relay.getIfAvailable());
	}

	// Spring Boot does so for the beans of the application only
	@Bean
	@ConditionalOnBean(OutboxIdentity.class)
	SmartInitializingSingleton orderedOutboxMeterBinding(MeterRegistry registry, ObjectProvider<MeterBinder> binders) {
		return () -> binders.orderedStream().forEach((binder) -> binder.bindTo(registry));
	}

	@Bean
	@NotInParentContext
	@ConditionalOnSwitch(Switch.RELAY)
	@ConditionalOnBean(RelayStore.class)
	RelayMetrics orderedOutboxRelayMetrics() {
		return new RelayMetrics();
	}

}
