/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.publish.AnnotatedMessageNamingStrategy;
import io.orderedoutbox.publish.AnnotatedPublicationPolicy;
import io.orderedoutbox.publish.MessageIdGenerator;
import io.orderedoutbox.publish.MessageNamingStrategy;
import io.orderedoutbox.publish.PublicationPolicy;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.rabbit.RabbitRoutingStrategy;
import io.orderedoutbox.store.Partitioner;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What decides of an event whether it is published, and under which name, id, destination
 * and partition: each is one bean that an application can replace.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch(Switch.OUTBOX)
class PublicationConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Partitioner orderedOutboxPartitioner() {
		return Partitions::crc32;
	}

	@Bean
	@ConditionalOnMissingBean(PublicationPolicy.class)
	AnnotatedPublicationPolicy orderedOutboxPublicationPolicy() {
		return new AnnotatedPublicationPolicy();
	}

	@Bean
	@ConditionalOnMissingBean(MessageNamingStrategy.class)
	AnnotatedMessageNamingStrategy orderedOutboxMessageNamingStrategy() {
		return new AnnotatedMessageNamingStrategy();
	}

	// Knows names, but nothing of AMQP: an instance that only writes needs no driver
	@Bean
	@ConditionalOnMissingBean
	RoutingStrategy orderedOutboxRoutingStrategy(OutboxProperties properties, OutboxSenderProperties senders,
			ObjectProvider<SenderRouting> others) {
		RabbitRoutingStrategy rabbit = new RabbitRoutingStrategy(properties.rabbit().exchange(),
				properties.rabbit().routingKey(), properties.rabbit().routes());
		return SenderRouting.of(senders, others.orderedStream().toList(), rabbit);
	}

	@Bean
	@ConditionalOnMissingBean
	MessageIdGenerator orderedOutboxMessageIdGenerator() {
		TimeBasedEpochGenerator generator = Generators.timeBasedEpochGenerator();
		return generator::generate;
	}

}
