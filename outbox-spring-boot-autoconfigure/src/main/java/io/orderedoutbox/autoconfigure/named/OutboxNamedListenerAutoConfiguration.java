/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.relay.OutboxListenerMethodAutoConfiguration;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.listen.OutboxListeners;
import io.orderedoutbox.listen.PayloadReader;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} that lets outboxes with names send
 * to the listeners of the application.
 */
@AutoConfiguration(after = OutboxListenerMethodAutoConfiguration.class)
@ConditionalOnNamedOutbox
@ConditionalOnSwitch(Switch.ANY_LISTENERS)
public final class OutboxNamedListenerAutoConfiguration {

	@Bean
	NamedOutboxCustomizer orderedOutboxNamedListenerMethods(ObjectProvider<OutboxListeners> listeners,
			ObjectProvider<PayloadReader> reader) {
		return (collaborators, properties) -> {
			listeners.ifAvailable((known) -> collaborators.give("orderedOutboxListeners", known));
			if (!collaborators.share(PayloadReader.class)) {
				reader.ifUnique((known) -> collaborators.give("orderedOutboxPayloadReader", known));
			}
		};
	}

}
