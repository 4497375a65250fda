/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for sending to Kafka.
 *
 * @param topic Topic for messages that have no other. {name} stands for the name of the
 * message, {partition} for the number of its partition in the outbox.
 * @param topics Topics by message name, for messages that go elsewhere. For example
 * outbox.kafka.topics[order.placed].
 */
@ConfigurationProperties("outbox.kafka")
public record OutboxKafkaProperties(@DefaultValue("outbox") String topic, @DefaultValue Map<String, String> topics) {

	/**
	 * Create properties.
	 */
	public OutboxKafkaProperties {
		topics = Map.copyOf(topics);
	}

}
