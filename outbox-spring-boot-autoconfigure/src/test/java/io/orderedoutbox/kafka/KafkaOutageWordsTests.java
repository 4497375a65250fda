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
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What an operator reads when Kafka cannot be reached.
 */
@Tag("unit")
class KafkaOutageWordsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			127.0.0.1:1          | No broker of Kafka answers (Topic orders not present in metadata after 300 ms.)
			nowhere.invalid:9092 | No resolvable bootstrap urls given in bootstrap.servers
			""")
	void theWordsSayWhatIsWrongAndWhichBrokersTheyAre(String brokers, String words) {
		KafkaMessageSender sender = new KafkaMessageSender(Map.of("bootstrap.servers", brokers),
				Duration.ofMillis(300));
		try {
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(() -> sender.withChannel((channel) -> channel.send(message())))
				.withMessageContaining(words)
				.withMessageEndingWith("; the brokers are " + brokers);
		}
		finally {
			sender.destroy();
		}
	}

	private static StoredMessage message() {
		return new StoredMessage(1, new Message(UUID.randomUUID(), "order.placed", "a", new Destination("orders", ""),
				"application/json", new byte[0], Map.of()), Instant.EPOCH, 0, null);
	}

}
