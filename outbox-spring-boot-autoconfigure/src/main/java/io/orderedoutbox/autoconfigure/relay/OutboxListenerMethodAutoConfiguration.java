/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.listen.JsonPayloadReader;
import io.orderedoutbox.listen.OutboxListeners;
import io.orderedoutbox.listen.PayloadReader;
import io.orderedoutbox.publish.AnnotatedMessageNamingStrategy;
import io.orderedoutbox.publish.MessageNamingStrategy;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the listeners of the application
 * themselves. They are there once, whichever of its outboxes send to them.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnSwitch(Switch.ANY_LISTENERS)
public final class OutboxListenerMethodAutoConfiguration {

	// Outboxes that all have names leave no strategy in the application
	@Bean
	static OutboxListeners orderedOutboxListeners(ObjectProvider<MessageNamingStrategy> naming) {
		return new OutboxListeners((type) -> naming.getIfAvailable(AnnotatedMessageNamingStrategy::new).nameOf(type));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JsonMapper.class)
	static class JsonConfiguration {

		@Bean
		@ConditionalOnMissingBean(PayloadReader.class)
		JsonPayloadReader orderedOutboxPayloadReader(JsonMapper mapper) {
			return new JsonPayloadReader(mapper);
		}

	}

}
