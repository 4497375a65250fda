/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import io.cloudevents.core.message.MessageReader;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.inbox.message.CloudEventMessageConverter;
import io.orderedoutbox.inbox.message.DecodingMessageConverter;
import io.orderedoutbox.payload.PayloadTransformers;

import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for listeners that take CloudEvents,
 * where payloads are not made by the names of messages. Those that take something else
 * get what Spring gives them by default.
 */
@AutoConfiguration
@ConditionalOnClass({ AbstractRabbitListenerContainerFactory.class, MessageReader.class })
@ConditionalOnSwitch(Switch.NO_TYPES)
public final class OutboxCloudEventsAutoConfiguration {

	// Another name than that of types: ahead of time both are there
	private static final String CONVERTER = "orderedInboxCloudEventConverter";

	@Bean(name = CONVERTER, defaultCandidate = false)
	MessageConverter orderedInboxCloudEventConverter(ObjectProvider<PayloadTransformers> transformers) {
		return new DecodingMessageConverter(new CloudEventMessageConverter(new SimpleMessageConverter()),
				transformers.getIfAvailable(() -> PayloadTransformers.NONE));
	}

	@Bean
	static BeanPostProcessor orderedInboxCloudEventsPostProcessor(BeanFactory beans) {
		return new ListenerConverter(CONVERTER, false, () -> beans.getBean(CONVERTER, MessageConverter.class));
	}

}
