/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.contract.MessageSenderContract;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.servers.EmbeddedKafka;
import io.orderedoutbox.testing.TestTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * {@link KafkaMessageSender} on a Kafka that is killed and started again.
 */
@Tag("order")
@Tag("slow")
@Tag("thorough")
class KafkaMessageSenderContractTests extends MessageSenderContract {

	private static EmbeddedKafka kafka;

	private TestTopic topic;

	private KafkaMessageSender sender;

	@BeforeAll
	static void startKafka() {
		kafka = EmbeddedKafka.start();
	}

	@AfterAll
	static void stopKafka() {
		kafka.close();
	}

	@BeforeEach
	void createTopic() {
		this.topic = TestTopic.of(kafka);
		this.sender = new KafkaMessageSender(Map.of("bootstrap.servers", kafka.bootstrapServers()),
				Duration.ofSeconds(15));
	}

	@AfterEach
	void closeSender() {
		this.sender.destroy();
		this.topic.close();
	}

	@Override
	protected MessageSender sender() {
		return this.sender;
	}

	@Override
	protected Destination destination() {
		return new Destination(this.topic.name(), "");
	}

	@Override
	protected Destination refusedDestination() {
		return new Destination(this.topic.name() + "-missing", "");
	}

	@Override
	protected List<UUID> arrivals() {
		return this.topic.arrivals().stream().map(TestTopic::messageId).map(UUID::fromString).toList();
	}

	@Override
	protected void loseBroker() {
		kafka.kill();
	}

	@Override
	protected void returnBroker() {
		kafka.restart();
	}

}
