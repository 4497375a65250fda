/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.util.Map;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.RabbitUtils;
import org.springframework.amqp.rabbit.core.ChannelCallback;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Asks the broker about queues, and declares them. Each call has a channel of its own,
 * which the broker closes when it refuses.
 */
final class ShardBroker {

	private static final Logger logger = LoggerFactory.getLogger(ShardBroker.class);

	private final RabbitTemplate template;

	ShardBroker(RabbitTemplate template) {
		this.template = template;
	}

	void declare(String exchange) {
		call((channel) -> channel.exchangeDeclare(exchange, "direct", true));
	}

	void declare(Declarables declarables) {
		for (Queue queue : declarables.getDeclarablesByType(Queue.class)) {
			call((channel) -> channel.queueDeclare(queue.getName(), true, false, false, queue.getArguments()));
		}
		call((channel) -> {
			for (Binding binding : declarables.getDeclarablesByType(Binding.class)) {
				channel.queueBind(binding.getDestination(), binding.getExchange(), binding.getRoutingKey());
			}
			return true;
		});
	}

	void unbind(Declarables declarables) {
		call((channel) -> {
			for (Binding binding : declarables.getDeclarablesByType(Binding.class)) {
				channel.queueUnbind(binding.getDestination(), binding.getExchange(), binding.getRoutingKey(), Map.of());
			}
			return true;
		});
	}

	// Quorum queues cannot be deleted only if they are empty
	void deleteQueue(String name) {
		call((channel) -> {
			int messages = channel.queueDelete(name).getMessageCount();
			if (messages > 0) {
				logger.atError()
					.addKeyValue("messages", messages)
					.log("Queue '{}', of another number of shards, was said to be empty, and had {} message(s) when it was deleted. Their consumer has not processed them: publish them again, from the archive of the outbox for example",
							name, messages);
			}
			return true;
		});
	}

	void deleteExchange(String name) {
		call((channel) -> channel.exchangeDelete(name));
	}

	boolean hasExchange(String name) {
		return find((channel) -> channel.exchangeDeclarePassive(name)) != null;
	}

	/** Return how many messages and consumers a queue has, null if there is none. */
	@Nullable DeclareOk find(String queue) {
		return find((channel) -> channel.queueDeclarePassive(queue));
	}

	/**
	 * Return whether a queue without consumers has no message. That {@link #find(String)
	 * its count} is 0 does not say so.
	 * @throws AmqpException if the leader of the queue is silent
	 */
	boolean isEmpty(String queue) {
		return Boolean.TRUE.equals(this.template.execute((channel) -> {
			// What was taken goes back
			RabbitUtils.setPhysicalCloseRequired(channel, true);
			QueueWalk walk = new QueueWalk(channel, queue);
			return walk.next() == null && walk.hasSeenAll();
		}));
	}

	private <T> @Nullable T find(ChannelCallback<T> callback) {
		try {
			return this.template.execute(callback);
		}
		catch (AmqpException ex) {
			if (ShardRefusal.of(ex).code() == AMQP.NOT_FOUND) {
				return null;
			}
			throw ex;
		}
	}

	private void call(ChannelCallback<?> callback) {
		try {
			this.template.execute(callback);
		}
		catch (AmqpException ex) {
			ShardRefusal refusal = ShardRefusal.of(ex);
			throw (refusal.code() == AMQP.PRECONDITION_FAILED) ? refusal.toException(ex) : ex;
		}
	}

}
