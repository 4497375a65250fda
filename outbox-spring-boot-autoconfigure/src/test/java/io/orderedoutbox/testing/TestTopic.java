/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.EmbeddedKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;

/**
 * A topic with a name of its own, and a consumer that remembers what arrived, in the
 * order of each partition. Used by one thread.
 */
public final class TestTopic implements AutoCloseable {

	private static final int PARTITIONS = 4;

	private final String name = "outbox-test-" + UUID.randomUUID();

	private final EmbeddedKafka kafka;

	private final KafkaConsumer<String, byte[]> consumer;

	private final List<ConsumerRecord<String, byte[]>> arrivals = new ArrayList<>();

	private TestTopic(EmbeddedKafka kafka, Map<String, String> configuration) {
		this.kafka = kafka;
		create(kafka, this.name, configuration);
		this.consumer = new KafkaConsumer<>(
				Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest"),
				new StringDeserializer(), new ByteArrayDeserializer());
		this.consumer.assign(
				IntStream.range(0, PARTITIONS).mapToObj((number) -> new TopicPartition(this.name, number)).toList());
		this.consumer.seekToBeginning(this.consumer.assignment());
	}

	public static TestTopic of(EmbeddedKafka kafka) {
		return new TestTopic(kafka, Map.of());
	}

	/**
	 * A topic that differs from the ordinary one.
	 * @param configuration as Kafka names its parts
	 */
	public static TestTopic of(EmbeddedKafka kafka, Map<String, String> configuration) {
		return new TestTopic(kafka, configuration);
	}

	/**
	 * Create a topic of another name.
	 */
	public static void create(EmbeddedKafka kafka, String name, Map<String, String> configuration) {
		try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
			admin.createTopics(List.of(new NewTopic(name, PARTITIONS, (short) 1).configs(configuration))).all().get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The topic '%s' could not be created".formatted(name), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	public String name() {
		return this.name;
	}

	public EmbeddedKafka kafka() {
		return this.kafka;
	}

	/**
	 * What has arrived until now.
	 */
	public List<ConsumerRecord<String, byte[]>> arrivals() {
		this.consumer.poll(Duration.ofMillis(200)).forEach(this.arrivals::add);
		return List.copyOf(this.arrivals);
	}

	/**
	 * What arrived, without repetitions of a message.
	 */
	public List<ConsumerRecord<String, byte[]>> firstArrivals() {
		Set<String> seen = new HashSet<>();
		return arrivals().stream().filter((arrival) -> seen.add(messageId(arrival))).toList();
	}

	/**
	 * Wait until that many messages have arrived, not counting repetitions.
	 */
	public List<ConsumerRecord<String, byte[]>> await(int count) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> firstArrivals().size() >= count);
		return firstArrivals();
	}

	public static String messageId(ConsumerRecord<String, byte[]> arrival) {
		return header(arrival, "x-message-id");
	}

	/**
	 * The text of a header, null if there is none.
	 */
	public static String header(ConsumerRecord<String, byte[]> arrival, String name) {
		Header header = arrival.headers().lastHeader(name);
		return (header != null) ? new String(header.value(), StandardCharsets.UTF_8) : null;
	}

	@Override
	public void close() {
		this.consumer.close(CloseOptions.timeout(Duration.ZERO));
	}

}
