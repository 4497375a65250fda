/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads the partitions of a topic from their beginning, and remembers all of their
 * records, in the order of each partition. A Kafka that comes back has the partitions as
 * they were, so that nothing is read twice.
 */
public final class KafkaRecorder implements Recording {

	private static final Duration PATIENCE = Duration.ofMillis(100);

	private final List<Arrival> arrivals = Collections.synchronizedList(new ArrayList<>());

	private final ArrivalReader reader = new ArrivalReader();

	private final String brokers;

	private final String topic;

	private final Thread thread = new Thread(this::record, "recorder");

	private volatile boolean ending;

	/**
	 * Start to record.
	 * @param brokers where the topic is
	 * @param topic the topic
	 */
	public KafkaRecorder(String brokers, String topic) {
		this.brokers = brokers;
		this.topic = topic;
		this.thread.start();
	}

	private void record() {
		try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
				Map.of("bootstrap.servers", this.brokers, "auto.offset.reset", "earliest"), new StringDeserializer(),
				new ByteArrayDeserializer())) {
			consumer.assign(consumer.partitionsFor(this.topic)
				.stream()
				.map((partition) -> new TopicPartition(partition.topic(), partition.partition()))
				.toList());
			consumer.seekToBeginning(consumer.assignment());
			while (!this.ending) {
				for (ConsumerRecord<String, byte[]> record : consumer.poll(PATIENCE)) {
					Arrival arrival = this.reader.read(UUID.fromString(
							new String(record.headers().lastHeader("x-message-id").value(), StandardCharsets.UTF_8)),
							record.value(), digest(record));
					this.arrivals.add(arrival);
				}
			}
		}
	}

	private static int digest(ConsumerRecord<String, byte[]> record) {
		List<String> parts = new ArrayList<>(List.of(String.valueOf(record.key()), record.topic()));
		record.headers()
			.forEach((header) -> parts.add(header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8)));
		return parts.stream().sorted().toList().hashCode();
	}

	@Override
	public int count() {
		return this.arrivals.size();
	}

	@Override
	public List<Arrival> arrivals() {
		return List.copyOf(this.arrivals);
	}

	@Override
	public void stop() {
		this.ending = true;
		try {
			this.thread.join(TimeUnit.SECONDS.toMillis(15));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
