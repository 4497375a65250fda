package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.OutboxProperties.Relay;
import io.orderedoutbox.listen.JsonPayloadReader;
import io.orderedoutbox.listen.ListenerMessageSender;
import io.orderedoutbox.listen.OutboxListeners;
import io.orderedoutbox.listen.PayloadReader;
import io.orderedoutbox.publish.MessageNamingStrategy;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.relay.MessageSender;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for listeners in the same
 * application, which take messages without a broker.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class,
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
	static OutboxListeners orderedOutboxListeners(ObjectProvider<MessageNamingStrategy> naming) {
		return new OutboxListeners((type) -> naming.getObject().nameOf(type));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSwitch(Switch.RELAY)
	static class SenderConfiguration {

		@Bean
		@ConditionalOnMissingBean(value = MessageSender.class,
				ignoredType = { SenderTypes.RABBIT, SenderTypes.KAFKA, SenderTypes.LISTENERS, SenderTypes.ROUTING })
		ListenerMessageSender orderedOutboxListenerMessageSender(OutboxListeners listeners, PayloadReader reader,
				OutboxProperties properties) {
			Relay relay = properties.relay();
			if (relay.pipelinedKeys()) {
				throw new OutboxConfigurationException(
						"The messages of the outbox go to @OutboxListener methods, and 'outbox.relay.pipelined-keys' is true: a message would be handed over although the one before it of its key has failed.",
						"Remove outbox.relay.pipelined-keys: with listeners it makes nothing faster.");
			}
			return new ListenerMessageSender(listeners, reader, relay.lockTimeout().multipliedBy(2).dividedBy(3));
		}

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
