/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} that says that there is no outbox.
 * Events would otherwise go nowhere without a word.
 */
@AutoConfiguration
@ConditionalOnSwitch(Switch.NO_OUTBOX)
public final class OutboxDisabledAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(OutboxDisabledAutoConfiguration.class);

	@Bean
	static SmartInitializingSingleton disabledOutboxLog() {
		return () -> logger.atInfo()
			.addKeyValue("state", "disabled")
			.log("The outbox is switched off: events are not stored (outbox.enabled=false)");
	}

}
