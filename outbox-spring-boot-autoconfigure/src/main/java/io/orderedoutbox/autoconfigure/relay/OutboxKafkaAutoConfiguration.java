/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.SenderRouting;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.SenderName;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.kafka.KafkaMessageSender;
import io.orderedoutbox.kafka.KafkaRoutingStrategy;
import io.orderedoutbox.send.MessageSender;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for sending to Kafka.
 */
@EachOutbox
@AutoConfiguration(after = OutboxAutoConfiguration.class,
		before = { OutboxRelayAutoConfiguration.class, OutboxSenderAutoConfiguration.class },
		afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnSwitch(Switch.KAFKA_SENDER)
@EnableConfigurationProperties(OutboxKafkaProperties.class)
public final class OutboxKafkaAutoConfiguration {

	// Knows names, but nothing of Kafka: an instance that only writes needs no client
	@Bean
	SenderRouting orderedOutboxKafkaRouting(OutboxKafkaProperties properties) {
		return new SenderRouting(SenderName.beanOf("kafka"),
				new KafkaRoutingStrategy(properties.topic(), properties.topics()));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ KafkaTemplate.class, DefaultKafkaProducerFactoryCustomizer.class })
	@ConditionalOnSwitch(Switch.RELAY)
	static class SenderConfiguration {

		@Bean
		@ConditionalOnMissingBean(value = MessageSender.class,
				ignoredType = { SenderTypes.RABBIT, SenderTypes.KAFKA, SenderTypes.LISTENERS, SenderTypes.ROUTING })
		KafkaMessageSender orderedOutboxKafkaMessageSender(ObjectProvider<ProducerFactory<?, ?>> producers,
				ObjectProvider<DefaultKafkaProducerFactoryCustomizer> customizers, OutboxProperties properties) {
			ProducerFactory<?, ?> application = producers.getIfUnique();
			if (application == null) {
				throw new OutboxConfigurationException(
						"The outbox found no single ProducerFactory to read the configuration of Kafka from.",
						"Configure one with spring.kafka.*, mark one as @Primary, or declare a MessageSender bean: new KafkaMessageSender(configuration, timeout).");
			}
			KafkaMessageSender sender = new KafkaMessageSender(application.getConfigurationProperties(),
					properties.relay().confirmTimeout());
			customizers.orderedStream().forEach((customizer) -> customizer.customize(sender.producerFactory()));
			return sender;
		}

	}

}
