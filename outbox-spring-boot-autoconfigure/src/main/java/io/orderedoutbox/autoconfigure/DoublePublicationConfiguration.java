/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.publish.PublicationPolicy;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.modulith.events.EventExternalizationConfiguration;

/**
 * The {@link DoublePublicationCheck}, where there is Spring Modulith.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch(Switch.OUTBOX)
@ConditionalOnClass(EventExternalizationConfiguration.class)
final class DoublePublicationConfiguration {

	@Bean
	@NotInParentContext
	DoublePublicationCheck orderedOutboxDoublePublicationCheck(ListableBeanFactory beans,
			ObjectProvider<PublicationPolicy> policy,
			ObjectProvider<EventExternalizationConfiguration> externalization) {
		return new DoublePublicationCheck(beans, policy, externalization);
	}

}
