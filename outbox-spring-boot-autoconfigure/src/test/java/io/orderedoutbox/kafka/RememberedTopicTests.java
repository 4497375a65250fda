/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A topic that was missing a moment ago.
 */
@Tag("unit")
class RememberedTopicTests {

	@Test
	void whatIsRememberedOfATopicIsNoSignThatABrokerAnswers() {
		UnknownTopics topics = new UnknownTopics(System::nanoTime);
		topics.add("orders");
		KafkaSendingChannel channel = new KafkaSendingChannel(
				new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(Map.of())), topics);
		channel.send(new StoredMessage(1, new Message(new UUID(0, 1), "order.placed", "a",
				new Destination("orders", ""), "application/json", new byte[0], Map.of()), Instant.EPOCH, 0, null));
		Outcome outcome = channel.nextOutcome(Duration.ZERO);
		assertThat(outcome.error()).contains("the broker has no topic 'orders'");
		assertThat(outcome.isOfBroker()).isFalse();
	}

}
