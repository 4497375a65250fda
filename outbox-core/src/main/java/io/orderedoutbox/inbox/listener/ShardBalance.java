/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import io.orderedoutbox.inbox.shard.ShardQueues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Spreads the queues of shards over the instances that consume from them. The broker
 * leaves all of them to the consumers that came first.
 * <ol>
 * <li>Each instance also consumes from a queue of members, to which nothing is sent. How
 * many consumers that has is how many instances there are: of a queue with a single
 * active consumer the broker counts only that one.</li>
 * <li>Now and then an instance counts the queues that it was handed messages of lately,
 * or has messages of. The share of each instance is the number of queues, divided by that
 * of the instances, rounded up.</li>
 * <li>What is more than its share it leaves, beginning with the queues of which it
 * processes the fewest messages. The broker hands each to the consumer that has waited
 * longest. If that is the instance with the next queue too many, that one leaves it in
 * turn.</li>
 * <li>An instance whose listener has only some of the queues leaves none: maybe no other
 * one wants them.</li>
 * <li>All shares together are at least the queues, so that this ends.</li>
 * </ol>
 */
final class ShardBalance {

	private static final Logger logger = LoggerFactory.getLogger(ShardListenerContainerFactory.class);

	private final Duration interval;

	private long lastLook = System.nanoTime();

	/**
	 * Create a balance.
	 * @param interval the pause between two looks, zero for none at all
	 */
	ShardBalance(Duration interval) {
		this.interval = interval;
	}

	/** Return the queues of members all of whose shards are missing. */
	static Collection<String> membersWithoutShards(Collection<String> queues) {
		List<String> members = queues.stream().filter((queue) -> ShardQueues.membersOf(queue).equals(queue)).toList();
		return members.stream()
			.filter((one) -> queues.stream()
				.noneMatch((queue) -> !queue.equals(one) && ShardQueues.membersOf(queue).equals(one)))
			.toList();
	}

	/** Return the queues of members of some shards that are not among them. */
	Collection<String> queuesToConsume(Collection<String> queues) {
		TreeSet<String> members = new TreeSet<>();
		if (!this.interval.isZero()) {
			queues.forEach((queue) -> members.add(ShardQueues.membersOf(queue)));
			members.removeAll(queues);
		}
		return members;
	}

	/**
	 * Look, if it is time to.
	 * @return the queues that this instance is to leave
	 */
	List<String> look(ShardListenerContainer container) {
		long now = System.nanoTime();
		if (this.interval.isZero() || now - this.lastLook < this.interval.toNanos()) {
			return List.of();
		}
		this.lastLook = now;
		Map<String, List<String>> byMembers = new TreeMap<>();
		for (String queue : container.getQueueNames()) {
			byMembers.computeIfAbsent(ShardQueues.membersOf(queue), (any) -> new ArrayList<>()).add(queue);
		}
		List<String> surplus = new ArrayList<>();
		byMembers.forEach((members, queues) -> {
			queues.remove(members);
			surplus.addAll(surplus(container, members, queues));
		});
		return surplus;
	}

	private List<String> surplus(ShardListenerContainer container, String members, List<String> queues) {
		// Nobody might want what a listener of some of them leaves
		if (queues.size() < ShardQueues.countOf(members)) {
			return List.of();
		}
		long since = System.nanoTime() - 2 * this.interval.toNanos();
		List<String> served = container.channels()
			.stream()
			.filter((channel) -> queues.contains(channel.queue()) && !channel.isVoid() && channel.isServedSince(since))
			.sorted(Comparator.comparingInt(ShardChannel::processing))
			.map(ShardChannel::queue)
			.toList();
		if (served.size() < 2) {
			return List.of();
		}
		int instances = Math.max(instances(container.getConnectionFactory(), members), 1);
		int share = (queues.size() + instances - 1) / instances;
		List<String> surplus = served.subList(0, Math.max(served.size() - share, 0));
		if (!surplus.isEmpty()) {
			logger.debug("{} instances share {} queues of shards: this one leaves {} of its {}", instances,
					queues.size(), surplus, served.size());
		}
		return surplus;
	}

	private static int instances(ConnectionFactory connectionFactory, String members) {
		try {
			Integer count = new RabbitTemplate(connectionFactory)
				.execute((channel) -> channel.queueDeclarePassive(members).getConsumerCount());
			return (count != null) ? count : 1;
		}
		catch (AmqpException ex) {
			logger.debug("The instances that share queues of shards are not known", ex);
			return 1;
		}
	}

}
