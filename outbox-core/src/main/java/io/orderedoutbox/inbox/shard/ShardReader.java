/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Asks the broker about the queues of shards, and those of their dead letters, one after
 * the other. For one thread.
 * <p>
 * The broker closes the channel of whoever asks for a queue that is not there, and writes
 * that to its log. So each look asks for one of those that were missing, and for the
 * others only when that one is back.
 */
public final class ShardReader {

	private final List<String> queues;

	private final List<String> deadLetters;

	private final ShardBroker broker;

	private final LongSupplier nanoTime;

	private final Set<String> missing = new LinkedHashSet<>();

	private final Map<String, Long> unattendedSince = new HashMap<>();

	/**
	 * Create a reader.
	 * @param queues the names of the queues
	 * @param deadLetters the names of their queues of dead letters, which need no
	 * consumer
	 * @param template works on the broker
	 */
	public ShardReader(List<String> queues, List<String> deadLetters, RabbitTemplate template) {
		this(queues, deadLetters, template, System::nanoTime);
	}

	ShardReader(List<String> queues, List<String> deadLetters, RabbitTemplate template, LongSupplier nanoTime) {
		this.queues = List.copyOf(queues);
		this.deadLetters = List.copyOf(deadLetters);
		this.broker = new ShardBroker(template);
		this.nanoTime = nanoTime;
	}

	List<String> queues() {
		return this.queues;
	}

	/**
	 * Look.
	 * @throws org.springframework.amqp.AmqpException if the broker does not answer
	 */
	List<ShardStatus> read() {
		askForOneThatWasMissing();
		List<ShardStatus> all = new ArrayList<>();
		for (String queue : this.queues) {
			all.add(status(queue, find(queue)));
		}
		for (String queue : this.deadLetters) {
			all.add(statusOfDeadLetters(queue, find(queue)));
		}
		return all;
	}

	private @Nullable DeclareOk find(String queue) {
		DeclareOk found = this.missing.contains(queue) ? null : this.broker.find(queue);
		if (found == null) {
			this.missing.add(queue);
		}
		return found;
	}

	private void askForOneThatWasMissing() {
		if (!this.missing.isEmpty()) {
			String queue = this.missing.iterator().next();
			if (this.broker.find(queue) != null) {
				this.missing.clear();
			}
			else {
				// Another one next time
				this.missing.remove(queue);
				this.missing.add(queue);
			}
		}
	}

	private ShardStatus status(String queue, @Nullable DeclareOk found) {
		if (found == null) {
			return new ShardStatus(queue, false, 0, 0, unattended(queue, true));
		}
		boolean isUnattended = found.getMessageCount() > 0 && found.getConsumerCount() == 0;
		return new ShardStatus(queue, true, found.getMessageCount(), found.getConsumerCount(),
				unattended(queue, isUnattended));
	}

	private static ShardStatus statusOfDeadLetters(String queue, @Nullable DeclareOk found) {
		return (found != null) ? new ShardStatus(queue, true, found.getMessageCount(), found.getConsumerCount(), null)
				: new ShardStatus(queue, false, 0, 0, null);
	}

	private @Nullable Duration unattended(String queue, boolean isUnattended) {
		if (!isUnattended) {
			this.unattendedSince.remove(queue);
			return null;
		}
		long now = this.nanoTime.getAsLong();
		return Duration.ofNanos(now - this.unattendedSince.computeIfAbsent(queue, (any) -> now));
	}

	/**
	 * Forget since when queues have had no consumer: nobody knows what has been since the
	 * last look.
	 */
	void forget() {
		this.unattendedSince.clear();
	}

}
