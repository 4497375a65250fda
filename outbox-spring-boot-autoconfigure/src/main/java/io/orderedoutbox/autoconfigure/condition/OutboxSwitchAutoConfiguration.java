/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} that lets an application be
 * configured at its start, also if it was processed ahead of time.
 */
@AutoConfiguration
public final class OutboxSwitchAutoConfiguration {

	@Bean
	static SwitchedOffBeans switchedOffOutboxBeans(Environment environment) {
		return new SwitchedOffBeans(environment);
	}

}
