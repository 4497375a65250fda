/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;

import io.orderedoutbox.inbox.shard.ShardQueues;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;

/**
 * Makes containers for {@link ShardQueues}, with a consumer for each queue, that process
 * messages of different partitions, or keys, side by side and those of each in order.
 * <p>
 * A message is acknowledged when it is processed. One that fails is tried again in its
 * place: what is behind it waits, and all else goes on. What is delivered again, because
 * a connection or an instance was lost, comes in order, and
 * {@link io.orderedoutbox.inbox.ProcessOnce} makes a duplicate of what was processed
 * before.
 * <p>
 * Other containers cancel their consumers when they stop, and go on with what they have
 * fetched beforehand. The broker makes another consumer the active one at once, and hands
 * it what comes behind: it would overtake what is still being processed. These containers
 * let end what has begun, and close their channels instead. What was not acknowledged
 * goes back to its place in the queue, and the next consumer begins there.
 */
public class ShardListenerContainerFactory extends DirectRabbitListenerContainerFactory implements ShardRetries {

	private final ShardListenerSettings settings;

	private final @Nullable DeadLetterSequences sequences;

	// Weak, because nothing tells when one is thrown away
	private final Set<ShardListenerContainer> containers = Collections.newSetFromMap(new WeakHashMap<>());

	/**
	 * Create a factory.
	 * @param settings how its listeners work
	 * @param sequences the table of dead letters that others follow, or {@code null} if
	 * the settings say that none do
	 */
	public ShardListenerContainerFactory(ShardListenerSettings settings, @Nullable DeadLetterSequences sequences) {
		this.settings = settings;
		this.sequences = sequences;
	}

	@Override
	protected DirectMessageListenerContainer createContainerInstance() {
		ShardListenerContainer container = new ShardListenerContainer(this.settings, this.sequences);
		synchronized (this.containers) {
			this.containers.add(container);
		}
		return container;
	}

	private List<ShardListenerContainer> containers() {
		synchronized (this.containers) {
			return List.copyOf(this.containers);
		}
	}

	/**
	 * Return the listeners of some shards. One may be about to leave some of its queues
	 * to another instance.
	 */
	List<ShardListenerContainer> listenersOf(ShardQueues shards) {
		List<String> queues = List.of(shards.names());
		return containers().stream()
			.filter((container) -> !Collections.disjoint(List.of(container.getQueueNames()), queues))
			.toList();
	}

	/**
	 * Return the table of dead letters that others follow, null if no factory has one.
	 */
	static @Nullable DeadLetterSequences sequencesOf(List<ShardListenerContainerFactory> factories) {
		return factories.stream().map((factory) -> factory.sequences).filter(Objects::nonNull).findFirst().orElse(null);
	}

	@Override
	public List<QueueRetries> retries() {
		Map<String, QueueRetries> all = new TreeMap<>();
		containers().forEach((container) -> container.retries()
			.forEach((retries) -> all.merge(retries.queue(), retries, QueueRetries::plus)));
		return List.copyOf(all.values());
	}

}
