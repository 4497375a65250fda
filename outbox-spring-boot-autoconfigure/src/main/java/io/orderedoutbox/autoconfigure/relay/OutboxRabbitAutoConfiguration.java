/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import com.rabbitmq.client.Channel;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.OutboxProperties.Relay;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.rabbit.BrokerSettings;
import io.orderedoutbox.rabbit.CurrentCredentials;
import io.orderedoutbox.rabbit.RabbitMessageSender;
import io.orderedoutbox.rabbit.RelayConnectionFactory;
import io.orderedoutbox.rabbit.WireFormat;
import io.orderedoutbox.send.MessageSender;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for sending to RabbitMQ.
 */
@EachOutbox
@AutoConfiguration(after = OutboxAutoConfiguration.class,
		afterName = { "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
				"org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration" })
@ConditionalOnClass({ RabbitTemplate.class, Channel.class })
public final class OutboxRabbitAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSwitch(Switch.RABBIT_SENDER)
	@ConditionalOnMissingBean(value = MessageSender.class,
			ignoredType = { SenderTypes.KAFKA, SenderTypes.LISTENERS, SenderTypes.ROUTING })
	static class SenderConfiguration {

		private static final int HEARTBEAT_SECONDS = 10;

		@Bean(defaultCandidate = false)
		DeclarationTrigger orderedOutboxDeclarationTrigger(ObjectProvider<DeclaringAdmins> given,
				ObjectProvider<AmqpAdmin> admins) {
			return new DeclarationTrigger(given.getIfAvailable(() -> DeclaringAdmins.of(admins)));
		}

		// Not a default candidate: the application's own connection factory stays the
		// only one it sees
		@Bean(defaultCandidate = false)
		@ConditionalOnMissingBean(name = "outboxRabbitConnectionFactory")
		CachingConnectionFactory outboxRabbitConnectionFactory(ObjectProvider<ConnectionFactory> connectionFactory,
				@Qualifier("orderedOutboxDeclarationTrigger") DeclarationTrigger declarations,
				ObjectProvider<LoggingSystem> logging, OutboxProperties properties) {
			if (!(target(connectionFactory.getIfUnique()) instanceof AbstractConnectionFactory application)) {
				throw new OutboxConfigurationException(
						"The outbox found no single RabbitMQ connection factory to derive its own from.",
						"Configure one with spring.rabbitmq.*, mark one as @Primary, or declare a CachingConnectionFactory bean named outboxRabbitConnectionFactory with simple publisher confirms.");
			}
			CachingConnectionFactory own = new RelayConnectionFactory(
					impatient(CurrentCredentials.copyOf(application.getRabbitConnectionFactory()), properties.relay()));
			logging.ifAvailable(ConnectionLog::quiet);
			BrokerSettings.of(application).applyTo(own);
			own.setCloseTimeout((int) properties.relay().confirmTimeout().toMillis());
			own.setChannelCacheSize(properties.relay().workers());
			own.addConnectionListener(declarations);
			return own;
		}

		// A proxy has fields of its own, with nothing in them: also one of a scope, or
		// around another proxy
		private static @Nullable Object target(@Nullable Object connectionFactory) {
			Object target = connectionFactory;
			while (target instanceof Advised proxy) {
				target = targetOf(proxy);
			}
			return target;
		}

		private static @Nullable Object targetOf(Advised proxy) {
			try {
				return proxy.getTargetSource().getTarget();
			}
			catch (Exception ex) {
				throw new OutboxConfigurationException(
						"The outbox cannot see the RabbitMQ connection factory behind a proxy: " + ex.getMessage()
								+ ".",
						"Declare a CachingConnectionFactory bean named outboxRabbitConnectionFactory with simple publisher confirms.",
						ex);
			}
		}

		// A worker that waits for a broker that is gone holds its claim: it must not wait
		// longer than the claim lasts
		private static com.rabbitmq.client.ConnectionFactory impatient(com.rabbitmq.client.ConnectionFactory factory,
				Relay relay) {
			int confirm = (int) relay.confirmTimeout().toMillis();
			factory.setChannelRpcTimeout(confirm);
			factory.setConnectionTimeout(atMost(confirm, factory.getConnectionTimeout()));
			factory.setHandshakeTimeout(atMost(confirm, factory.getHandshakeTimeout()));
			factory.setRequestedHeartbeat(atMost(HEARTBEAT_SECONDS, factory.getRequestedHeartbeat()));
			return factory;
		}

		// Zero means for ever
		private static int atMost(int limit, int configured) {
			return (configured > 0) ? Math.min(limit, configured) : limit;
		}

		// The template is no bean: the application's health would show it as a broker of
		// its own
		@Bean
		RabbitMessageSender orderedOutboxMessageSender(
				@Qualifier("outboxRabbitConnectionFactory") ConnectionFactory connectionFactory,
				OutboxDatabase database, OutboxProperties properties, Environment environment) {
			if (!(connectionFactory instanceof CachingConnectionFactory)) {
				throw new OutboxConfigurationException(
						"The bean outboxRabbitConnectionFactory is a %s, and the outbox sends with a CachingConnectionFactory."
							.formatted(connectionFactory.getClass().getSimpleName()),
						"Declare a CachingConnectionFactory with simple publisher confirms under this name, or remove the bean: then the outbox makes one.");
			}
			WireFormat format = new WireFormat(properties.rabbit().headers().asked(),
					(message) -> database.partitions().of(message.partitionKey(), message.messageId()),
					CloudEventSource.attributes(properties.rabbit(), environment));
			return new RabbitMessageSender(new RabbitTemplate(connectionFactory), format);
		}

	}

}
