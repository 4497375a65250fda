/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.OutboxProperties.Relay;
import io.orderedoutbox.autoconfigure.OutboxSenderProperties;
import io.orderedoutbox.autoconfigure.SenderRouting;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.SenderName;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.listen.ListenerMessageSender;
import io.orderedoutbox.listen.OutboxListeners;
import io.orderedoutbox.listen.PayloadReader;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.relay.payload.PayloadDecoder;
import io.orderedoutbox.send.MessageSender;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for sending to listeners in the same
 * application, which take messages without a broker.
 */
@EachOutbox
@AutoConfiguration(after = { OutboxAutoConfiguration.class, OutboxListenerMethodAutoConfiguration.class },
		before = { OutboxRelayAutoConfiguration.class, OutboxSenderAutoConfiguration.class })
@ConditionalOnSwitch(Switch.IN_PROCESS_SENDER)
public final class OutboxListenerAutoConfiguration {

	// What operators see in place of an exchange
	private static final String PLACE = "in-process";

	@Bean
	SenderRouting orderedOutboxListenerRouting() {
		return new SenderRouting(SenderName.beanOf(PLACE), (publication) -> Route.to(PLACE, publication.name()));
	}

	@Bean
	@ConditionalOnSwitch(Switch.RELAY)
	@ConditionalOnMissingBean(value = MessageSender.class,
			ignoredType = { SenderTypes.RABBIT, SenderTypes.KAFKA, SenderTypes.LISTENERS, SenderTypes.ROUTING })
	ListenerMessageSender orderedOutboxListenerMessageSender(OutboxListeners listeners, PayloadReader reader,
			PayloadTransformers transformers, OutboxProperties properties, OutboxSenderProperties senders) {
		Relay relay = properties.relay();
		if (relay.pipelinedKeys() && isTheOnlyOne(senders)) {
			throw new OutboxConfigurationException(
					"The messages of the outbox go to @OutboxListener methods, and 'outbox.relay.pipelined-keys' is true: a message would be handed over although the one before it of its key has failed.",
					"Remove outbox.relay.pipelined-keys: with listeners it makes nothing faster.");
		}
		return new ListenerMessageSender(listeners, reader, PayloadDecoder.ofConsumers(transformers),
				relay.lockTimeout().multipliedBy(2).dividedBy(3));
	}

	// Several are refused together
	private static boolean isTheOnlyOne(OutboxSenderProperties senders) {
		return Stream.concat(Stream.of(senders.sender()), senders.senders().values().stream())
			.map(SenderName::beanOf)
			.allMatch(SenderName.beanOf(PLACE)::equals);
	}

}
