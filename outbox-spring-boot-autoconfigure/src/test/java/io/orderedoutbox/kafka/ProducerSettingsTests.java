/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.time.Duration;
import java.util.Map;

import io.orderedoutbox.OutboxConfigurationException;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the relay's producers keep of the application's configuration.
 */
@Tag("unit")
class ProducerSettingsTests {

	private static final Duration CONFIRM = Duration.ofSeconds(5);

	@Test
	void whatTheOutboxRestsOnTakesThePlaceOfWhatTheApplicationHasChosen() {
		assertThat(ProducerSettings.of(Map.of("acks", "1", "enable.idempotence", "false",
				"max.in.flight.requests.per.connection", 50, "partitioner.ignore.keys", "true", "retries", 0,
				"transactional.id", "shop", "delivery.timeout.ms", 1, "value.serializer", "com.example.Json"), CONFIRM))
			.containsEntry("acks", "all")
			.containsEntry("enable.idempotence", true)
			.containsEntry("max.in.flight.requests.per.connection", 1)
			.containsEntry("partitioner.ignore.keys", false)
			.containsEntry("delivery.timeout.ms", 10_000)
			.doesNotContainKeys("retries", "transactional.id");
	}

	@Test
	void whatHasNothingToDoWithItStays() {
		assertThat(ProducerSettings.of(
				Map.of("bootstrap.servers", "kafka:9092", "compression.type", "zstd", "security.protocol", "SSL"),
				CONFIRM))
			.containsEntry("bootstrap.servers", "kafka:9092")
			.containsEntry("compression.type", "zstd")
			.containsEntry("security.protocol", "SSL");
	}

	@Test
	void theRelayGivesUpBeforeTheProducer() {
		Map<String, Object> settings = ProducerSettings.of(Map.of("linger.ms", "20", "max.block.ms", 60_000), CONFIRM);
		assertThat(settings).containsEntry("linger.ms", 20)
			.containsEntry("max.block.ms", 5_000)
			.containsEntry("request.timeout.ms", 5_000)
			.containsEntry("delivery.timeout.ms", 10_020);
		// Checks them as a producer does
		assertThat(new ProducerConfig(with(settings)).getInt("delivery.timeout.ms")).isEqualTo(10_020);
		assertThat(ProducerSettings.of(Map.of("max.block.ms", 100, "request.timeout.ms", 200L), CONFIRM))
			.containsEntry("max.block.ms", 100)
			.containsEntry("request.timeout.ms", 200);
	}

	private static Map<String, Object> with(Map<String, Object> settings) {
		settings.put("bootstrap.servers", "localhost:9092");
		return settings;
	}

	@Test
	void aTimeThatIsNoNumberIsNamed() {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> ProducerSettings.of(Map.of("linger.ms", "5s"), CONFIRM))
			.withMessage(
					"The setting 'linger.ms' of the Kafka producer is no whole number: 5s. Correct spring.kafka.producer.properties[linger.ms].");
	}

}
