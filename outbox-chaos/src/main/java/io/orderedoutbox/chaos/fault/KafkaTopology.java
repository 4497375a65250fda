/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import io.orderedoutbox.servers.EmbeddedKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * One topic. Nothing else can be done to it than to its broker.
 */
public final class KafkaTopology implements DeclaredTopology {

	private static final int PARTITIONS = 6;

	private final EmbeddedKafka kafka;

	private final String topic;

	private KafkaTopology(EmbeddedKafka kafka, String topic) {
		this.kafka = kafka;
		this.topic = topic;
	}

	/**
	 * Create the topic.
	 * @param kafka where it is
	 * @param topic the name of the topic
	 * @return the topology
	 * @throws InterruptedException if the thread was interrupted
	 */
	public static KafkaTopology declare(EmbeddedKafka kafka, String topic) throws InterruptedException {
		try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
			admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1))).all().get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The topic '%s' could not be created".formatted(topic), ex);
		}
		return new KafkaTopology(kafka, topic);
	}

	@Override
	public Map<String, String> properties() {
		return Map.of("outbox.sender", "kafka", "outbox.kafka.topic", this.topic, "spring.kafka.bootstrap-servers",
				this.kafka.bootstrapServers(), "logging.level.org.apache.kafka", "OFF");
	}

	@Override
	public List<String> exchanges() {
		return List.of(this.topic, this.topic);
	}

	@Override
	public String queue() {
		return this.topic;
	}

	@Override
	public void deleteExchange(String exchange) {
		throw refused();
	}

	@Override
	public void deleteBinding(String exchange) {
		throw refused();
	}

	@Override
	public void rejectPublishBeyond(int length) {
		throw refused();
	}

	@Override
	public void bindFullQueue(String exchange) {
		throw refused();
	}

	@Override
	public void restore() {
		throw refused();
	}

	private static IllegalStateException refused() {
		return new IllegalStateException("A topic has neither exchanges nor queues: choose another fault");
	}

	/**
	 * Return zero: records stay in a topic, whoever has fetched them.
	 */
	@Override
	public int depth() {
		return 0;
	}

	/**
	 * Do nothing: the topic ends with its broker.
	 */
	@Override
	public void close() {
	}

}
