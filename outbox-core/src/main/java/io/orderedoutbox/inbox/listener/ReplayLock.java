/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.inbox.shard.ShardRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpIOException;

/**
 * Lets one replay of the dead letters of some shards work at a time, or one removal.
 * <ol>
 * <li>Take the lock of this instance for these shards. The broker tells connections
 * apart, and not the threads of an application.</li>
 * <li>Declare a queue that no other connection can declare meanwhile. Where that is
 * refused, another instance works.</li>
 * <li>At the end delete the queue. If the instance or its connection is lost, the queue
 * goes with it.</li>
 * </ol>
 */
final class ReplayLock {

	private static final Logger logger = LoggerFactory.getLogger(DeadLetterReplay.class);

	private final OwnChannel channels;

	private final Map<String, Lock> locks = new ConcurrentHashMap<>();

	ReplayLock(OwnChannel channels) {
		this.channels = channels;
	}

	/**
	 * Work while no other thread or instance does.
	 * @param waits whether to wait for other threads of this instance
	 * @throws ReplayRunningException if another one works
	 */
	<T> T alone(ShardQueues shards, boolean waits, Supplier<T> work) {
		Lock lock = this.locks.computeIfAbsent(shards.name(), (name) -> new ReentrantLock());
		if (waits) {
			lock.lock();
		}
		else if (!lock.tryLock()) {
			throw new ReplayRunningException("This instance", shards);
		}
		try {
			return this.channels.run((channel) -> aloneOfAllInstances(shards, channel, work));
		}
		finally {
			lock.unlock();
		}
	}

	private static <T> T aloneOfAllInstances(ShardQueues shards, Channel channel, Supplier<T> work) {
		String queue = shards.deadLetters() + ".replay";
		begin(shards, channel, queue);
		try {
			return work.get();
		}
		finally {
			end(channel, queue);
		}
	}

	private static void begin(ShardQueues shards, Channel channel, String queue) {
		try {
			channel.queueDeclare(queue, false, true, true, Map.of());
		}
		catch (IOException ex) {
			AmqpIOException refusal = new AmqpIOException(ex);
			if (ShardRefusal.of(refusal).code() == AMQP.RESOURCE_LOCKED) {
				throw new ReplayRunningException("Another instance", shards);
			}
			throw refusal;
		}
	}

	private static void end(Channel channel, String queue) {
		try {
			channel.queueDelete(queue);
		}
		catch (IOException | ShutdownSignalException ex) {
			logger.debug("The connection is lost, and the queue has gone with it", ex);
		}
	}

}
