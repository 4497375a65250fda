/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.ProducerListener;

/**
 * {@link MessageSender} that sends to Kafka with Spring's {@link KafkaTemplate}. The
 * topic of a message is the exchange of its destination, and the key of its record is its
 * partition key.
 * <p>
 * Each thread has a producer of its own, which stays for its next channel. After anything
 * but a clean end the producer is closed at once, and its records with it that have not
 * left: a producer sends what it has for minutes, and what another worker has sent
 * meanwhile would be repeated out of turn.
 * <p>
 * Guaranteed: records of one key that are given to one channel arrive in that order, and
 * a record counts as published only after all replicas in sync have it. Not guaranteed:
 * any order between topics, or after partitions were added to a topic.
 */
public final class KafkaMessageSender implements MessageSender, SmartLifecycle, DisposableBean {

	private final DefaultKafkaProducerFactory<String, byte[]> producers;

	private final KafkaTemplate<String, byte[]> template;

	private final UnknownTopics unknownTopics = new UnknownTopics(System::nanoTime);

	private final String brokers;

	// Those that may have a producer
	private final Set<Thread> threads = new HashSet<>();

	private volatile boolean running;

	/**
	 * Create a sender, which does not connect before it is used.
	 * @param configuration the configuration of the application's producers, by the names
	 * that Kafka gives its parts. What the outbox rests on takes the place of what is
	 * there
	 * @param confirmTimeout how long the relay waits for a confirm, as
	 * {@code outbox.relay.confirm-timeout}
	 * @throws io.orderedoutbox.OutboxConfigurationException if a time in it is no number
	 */
	public KafkaMessageSender(Map<String, Object> configuration, Duration confirmTimeout) {
		Map<String, Object> settings = ProducerSettings.of(configuration, confirmTimeout);
		this.brokers = String.valueOf(settings.get("bootstrap.servers"));
		this.producers = new DefaultKafkaProducerFactory<>(settings);
		this.producers.setProducerPerThread(true);
		this.producers.setPhysicalCloseTimeout(0);
		this.template = new KafkaTemplate<>(this.producers);
		// Spring's own writes an error with the key for each record
		this.template.setProducerListener(new ProducerListener<>() {
		});
	}

	/**
	 * Return what makes the producers, for example to add a listener. They must stay as
	 * they are otherwise.
	 * @return the factory
	 */
	public DefaultKafkaProducerFactory<?, ?> producerFactory() {
		return this.producers;
	}

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		closeWhatEndedThreadsHaveLeft();
		KafkaSendingChannel channel = new KafkaSendingChannel(this.template, this.unknownTopics);
		boolean done = false;
		try {
			work.accept(channel);
			done = channel.isIdle();
		}
		catch (TransportException ex) {
			// A channel does not know to which broker it speaks
			throw new TransportException("%s; the brokers are %s".formatted(ex.getMessage(), this.brokers), ex);
		}
		finally {
			if (!done) {
				this.producers.closeThreadBoundProducer();
			}
		}
	}

	// Each thread has a producer of its own, and workers end whenever their relay is
	// stopped
	private void closeWhatEndedThreadsHaveLeft() {
		synchronized (this.threads) {
			if (this.threads.add(Thread.currentThread())
					&& this.threads.stream().filter(Thread::isAlive).count() == 1) {
				this.producers.reset();
				this.threads.removeIf((thread) -> !thread.isAlive());
			}
		}
	}

	@Override
	public void start() {
		this.running = true;
	}

	/**
	 * Close all producers, without waiting for what they have.
	 */
	@Override
	public void stop() {
		this.running = false;
		this.producers.reset();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * After the relay.
	 */
	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public void destroy() {
		this.producers.reset();
	}

}
