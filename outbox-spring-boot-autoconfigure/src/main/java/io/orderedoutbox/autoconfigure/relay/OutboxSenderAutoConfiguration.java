/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import java.util.LinkedHashMap;
import java.util.Map;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.OutboxSenderProperties;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.SenderName;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.routing.MessageNamePatterns;
import io.orderedoutbox.routing.RoutingMessageSender;
import io.orderedoutbox.send.MessageSender;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for several senders, which the names
 * of messages choose.
 */
@EachOutbox
@AutoConfiguration(after = { OutboxAutoConfiguration.class, OutboxRabbitAutoConfiguration.class },
		before = OutboxRelayAutoConfiguration.class)
@ConditionalOnSwitch(Switch.NAMED_SENDERS)
public final class OutboxSenderAutoConfiguration {

	@Bean
	@Primary
	@ConditionalOnMissingBean(value = MessageSender.class,
			ignoredType = { SenderTypes.RABBIT, SenderTypes.KAFKA, SenderTypes.LISTENERS })
	RoutingMessageSender orderedOutboxRoutingMessageSender(OutboxSenderProperties senders, OutboxProperties properties,
			BeanFactory beans) {
		if (properties.relay().pipelinedKeys() && !senders.senders().isEmpty()) {
			throw new OutboxConfigurationException(
					"The outbox has several senders, and 'outbox.relay.pipelined-keys' is true: messages of one key that have different senders would overtake one another.",
					"Remove outbox.relay.pipelined-keys, or let all messages have one sender.");
		}
		Map<String, MessageSender> byPattern = new LinkedHashMap<>();
		senders.senders().forEach((pattern, written) -> byPattern.put(pattern, sender(written, beans)));
		return new RoutingMessageSender(new MessageNamePatterns<>(byPattern, sender(senders.sender(), beans)),
				properties.relay().confirmTimeout());
	}

	private static MessageSender sender(String written, BeanFactory beans) {
		try {
			return beans.getBean(SenderName.beanOf(written), MessageSender.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw new OutboxConfigurationException(
					"The properties 'outbox.sender' and 'outbox.senders' name the sender '%s', but there is no such MessageSender bean."
						.formatted(written),
					"Write rabbit, kafka or in-process, and add spring-boot-starter-amqp or spring-boot-starter-kafka for the first two, or declare the bean with @Bean(defaultCandidate = false).",
					ex);
		}
	}

}
