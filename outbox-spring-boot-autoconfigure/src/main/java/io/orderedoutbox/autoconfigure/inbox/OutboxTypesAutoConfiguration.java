/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.inbox.message.CloudEventMessageConverter;
import io.orderedoutbox.inbox.message.DecodingMessageConverter;
import io.orderedoutbox.inbox.message.TypedMessageConverter;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.publish.AnnotatedMessageNamingStrategy;
import io.orderedoutbox.publish.MessageNamingStrategy;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for payloads of listeners that are
 * made by the names of messages, with and without an outbox and an inbox.
 * <p>
 * The converter is no candidate where Spring Boot looks for a bean of its type. Otherwise
 * it would also be the one of the {@code RabbitTemplate}, and change what the application
 * sends.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class,
		afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass({ AbstractRabbitListenerContainerFactory.class, JsonMapper.class })
@ConditionalOnSwitch(Switch.TYPES)
@EnableConfigurationProperties(OutboxInboxProperties.class)
public final class OutboxTypesAutoConfiguration {

	private static final String CLOUD_EVENTS = "io.cloudevents.core.message.MessageReader";

	private static final String CONVERTER = "orderedInboxMessageConverter";

	@Bean(name = CONVERTER, defaultCandidate = false)
	MessageConverter orderedInboxMessageConverter(OutboxInboxProperties properties, ResourceLoader resources,
			ObjectProvider<MessageNamingStrategy> naming, ObjectProvider<JsonMapper> mapper,
			ObjectProvider<PayloadTransformers> transformers) {
		MessageNamingStrategy names = naming.getIfAvailable(AnnotatedMessageNamingStrategy::new);
		MessageTypes types = new MessageTypes(properties.types()).scan(properties.typePackages(), resources,
				names::nameOf);
		MessageConverter typed = new TypedMessageConverter(types.byName(), mapper.getIfAvailable(JsonMapper::shared));
		return new DecodingMessageConverter(ClassUtils.isPresent(CLOUD_EVENTS, resources.getClassLoader())
				? new CloudEventMessageConverter(typed) : typed,
				transformers.getIfAvailable(() -> PayloadTransformers.NONE));
	}

	@Bean
	static BeanPostProcessor orderedInboxConverterPostProcessor(BeanFactory beans) {
		return new ListenerConverter(CONVERTER, true, () -> beans.getBean(CONVERTER, MessageConverter.class));
	}

}
