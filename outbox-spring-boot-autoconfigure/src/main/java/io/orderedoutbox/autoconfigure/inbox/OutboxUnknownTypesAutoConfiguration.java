/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import org.aopalliance.aop.Advice;

import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} that names the properties by which
 * listeners get payloads, where a listener would have needed them.
 */
@AutoConfiguration
@ConditionalOnClass({ AbstractRabbitListenerContainerFactory.class, Advice.class })
@ConditionalOnSwitch(Switch.NO_TYPES)
public final class OutboxUnknownTypesAutoConfiguration {

	@Bean
	static BeanPostProcessor orderedInboxUnknownTypesPostProcessor() {
		return new ListenerAdvice(UnknownTypeAdvice::new);
	}

}
