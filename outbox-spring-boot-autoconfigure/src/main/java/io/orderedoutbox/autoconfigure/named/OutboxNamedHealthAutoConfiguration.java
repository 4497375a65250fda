/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.LinkedHashMap;
import java.util.Map;

import io.orderedoutbox.autoconfigure.monitor.OutboxHealthAutoConfiguration;
import io.orderedoutbox.autoconfigure.monitor.OutboxHealthProperties;
import io.orderedoutbox.autoconfigure.monitor.OutboxMonitorAutoConfiguration;
import io.orderedoutbox.autoconfigure.condition.OutboxNames;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.monitor.HealthSources;
import io.orderedoutbox.monitor.OutboxHealthIndicator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the health of several outboxes:
 * the contributor {@code outbox} has a component for each of them.
 */
@AutoConfiguration(after = OutboxMonitorAutoConfiguration.class, before = OutboxHealthAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnNamedOutbox
@ConditionalOnEnabledHealthIndicator("outbox")
@EnableConfigurationProperties({ OutboxHealthProperties.class, OutboxProperties.class })
public final class OutboxNamedHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "outboxHealthIndicator", "outboxHealthContributor" })
	CompositeHealthContributor outboxHealthContributor(ObjectProvider<HealthSources> sources,
			OutboxHealthProperties properties, OutboxProperties outbox, ObjectProvider<NamedOutbox> named) {
		Map<String, HealthContributor> components = new LinkedHashMap<>();
		sources.ifAvailable((known) -> components.put(OutboxNames.DEFAULT,
				new OutboxHealthIndicator(outbox.ordered(), known, properties.thresholds())));
		named.orderedStream()
			.forEach((other) -> other.beans()
				.getBeanProvider(OutboxHealthIndicator.class)
				.ifAvailable((indicator) -> components.put(other.name(), indicator)));
		return CompositeHealthContributor.fromMap(components);
	}

}
