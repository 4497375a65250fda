/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.monitor.HealthSources;
import io.orderedoutbox.monitor.OutboxHealthIndicator;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the health of the outbox.
 */
@EachOutbox
@AutoConfiguration(after = OutboxMonitorAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnSwitch(Switch.OUTBOX)
@ConditionalOnBean(HealthSources.class)
@ConditionalOnEnabledHealthIndicator("outbox")
@EnableConfigurationProperties(OutboxHealthProperties.class)
public final class OutboxHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "outboxHealthIndicator", "outboxHealthContributor" })
	OutboxHealthIndicator outboxHealthIndicator(OutboxProperties outbox, HealthSources sources,
			OutboxHealthProperties properties) {
		return new OutboxHealthIndicator(outbox.ordered(), sources, properties.thresholds());
	}

}
