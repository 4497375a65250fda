/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.send.OutboxScope;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The configuration of the relay's producers: that of the application's, with what the
 * outbox rests on in place of what the application has chosen for itself.
 * <ol>
 * <li>All replicas in sync confirm a record, and the producer is idempotent. So a record
 * that counts as published is kept, and a producer that sends a record again does not
 * repeat it.</li>
 * <li>A producer has one request to a broker under way. With several, the first can meet
 * a broker that is about to become the leader of a partition, and the second find it
 * ready. A leader that knows nothing of a producer takes whatever comes first: the second
 * request has overtaken the first, which is refused from then on.</li>
 * <li>The key of a record chooses its partition.</li>
 * <li>A producer tries for longer than the relay waits. So the relay decides when a
 * message has taken too long, and ends the producer with it, which could send the record
 * later otherwise.</li>
 * <li>A call waits for the topic no longer than the relay waits for a confirm, because
 * the worker that calls does nothing else meanwhile.</li>
 * <li>What is sent leaves at once, unless the application asks for a delay.</li>
 * </ol>
 */
final class ProducerSettings {

	// After an outage all workers are back at about the same time: the relay would think
	// that the broker has passed over the messages of one that comes later
	private static final int LONGEST_BACK_OFF = 250;

	private ProducerSettings() {
	}

	/**
	 * Return the configuration.
	 * @param application that of the application's producers
	 * @param confirmTimeout how long the relay waits for a confirm
	 * @throws OutboxConfigurationException if a time of the application's is no number
	 */
	static Map<String, Object> of(Map<String, Object> application, Duration confirmTimeout) {
		Map<String, Object> settings = new HashMap<>(application);
		settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
		settings.remove(ProducerConfig.RETRIES_CONFIG);
		settings.put(ProducerConfig.CLIENT_ID_CONFIG, OutboxScope.label("outbox-relay"));
		settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
		settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
		settings.put(ProducerConfig.ACKS_CONFIG, "all");
		settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
		settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
		settings.put(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, false);
		putTimes(settings, Math.toIntExact(confirmTimeout.toMillis()));
		return settings;
	}

	private static void putTimes(Map<String, Object> settings, int confirm) {
		int linger = number(settings, ProducerConfig.LINGER_MS_CONFIG, 0);
		settings.put(ProducerConfig.LINGER_MS_CONFIG, linger);
		putAtMost(confirm, settings, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
		putAtMost(confirm, settings, ProducerConfig.MAX_BLOCK_MS_CONFIG);
		putAtMost(LONGEST_BACK_OFF, settings, ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG);
		putAtMost(LONGEST_BACK_OFF, settings, ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG);
		settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
				(int) Math.min(Integer.MAX_VALUE, 2L * confirm + linger));
	}

	private static void putAtMost(int limit, Map<String, Object> settings, String name) {
		settings.put(name, Math.min(limit, number(settings, name, limit)));
	}

	private static int number(Map<String, Object> settings, String name, int otherwise) {
		Object value = settings.get(name);
		try {
			return (value != null) ? (int) Math.min(Integer.MAX_VALUE, Long.parseLong(value.toString().trim()))
					: otherwise;
		}
		catch (NumberFormatException ex) {
			throw new OutboxConfigurationException(
					"The setting '%s' of the Kafka producer is no whole number: %s.".formatted(name, value),
					"Correct spring.kafka.producer.properties[%s].".formatted(name), ex);
		}
	}

}
