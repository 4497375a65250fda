/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.inbox.shard.QueueWalk;
import io.orderedoutbox.inbox.shard.ShardQueues;

import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.AmqpTimeoutException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.MessagePropertiesBuilder;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;

/**
 * The queue of messages that a consumer of shards has given up. A dead letter keeps id,
 * type, body and headers, and says where it came from and why it is there.
 */
final class ShardDeadLetters {

	private static final Pattern SHARD = Pattern.compile("\\.\\d+\\.\\d+$");

	// The broker would also send it to what the first two name, and has added the others
	private static final Set<String> OF_THE_BROKER = Set.of("CC", "BCC", "x-acquired-count", "x-delivery-count");

	private static final int LONGEST_REASON = 1_000;

	private static final long CONFIRM_MILLIS = 10_000;

	private final OwnChannel channels;

	ShardDeadLetters(ConnectionFactory connectionFactory) {
		this.channels = new OwnChannel(connectionFactory);
	}

	/**
	 * Add a message.
	 * @throws org.springframework.amqp.AmqpException if the broker has not confirmed it
	 */
	void add(Message message, String reason) {
		String queue = String.valueOf(message.getMessageProperties().getConsumerQueue());
		send(ShardQueues.deadLettersOf(shardsOf(queue)), properties(message.getMessageProperties(), reason),
				message.getBody());
	}

	/** Return a dead letter as the message was when it came for the first time. */
	static Message message(Delivery delivery, String deadLetters) {
		MessageProperties properties = new DefaultMessagePropertiesConverter()
			.toMessageProperties(delivery.getProperties(), delivery.getEnvelope(), "UTF-8");
		restoreOrigin(properties);
		properties.setConsumerQueue(deadLetters);
		return new Message(delivery.getBody(), properties);
	}

	/**
	 * Make a dead letter look as the message did when it came for the first time.
	 */
	static void restoreOrigin(MessageProperties properties) {
		Map<String, Object> headers = properties.getHeaders();
		Object exchange = headers.remove(RepublishMessageRecoverer.X_ORIGINAL_EXCHANGE);
		Object routingKey = headers.remove(RepublishMessageRecoverer.X_ORIGINAL_ROUTING_KEY);
		headers.remove(RepublishMessageRecoverer.X_EXCEPTION_MESSAGE);
		properties.setReceivedExchange(Objects.toString(exchange, ""));
		properties.setReceivedRoutingKey(Objects.toString(routingKey, ""));
	}

	/** Whether a message was sent to its queue again, after it was a dead letter. */
	static boolean isReplayed(MessageProperties properties) {
		return "".equals(properties.getReceivedExchange())
				&& properties.getHeaders().containsKey(RepublishMessageRecoverer.X_ORIGINAL_ROUTING_KEY);
	}

	/** Return the name of the shards that a queue is one of. */
	static String shardsOf(String queue) {
		return SHARD.matcher(queue).replaceFirst("");
	}

	/**
	 * Remove a message from the queue. The broker may still be taking back what a replay
	 * has left.
	 * @return how many there were of it
	 * @throws org.springframework.amqp.AmqpException if the broker fails, or lets not all
	 * messages be looked at
	 */
	int remove(String deadLetters, String messageId) {
		int first = this.channels.run((channel) -> remove(deadLetters, messageId, channel));
		return (first > 0) ? first : this.channels.run((channel) -> remove(deadLetters, messageId, channel));
	}

	private static int remove(String deadLetters, String messageId, Channel channel) throws IOException {
		int removed = 0;
		QueueWalk walk = new QueueWalk(channel, deadLetters);
		Delivery delivery = walk.next();
		while (delivery != null) {
			if (messageId.equals(ShardFailures.idOf(message(delivery, deadLetters)))) {
				walk.acknowledge(delivery);
				removed++;
			}
			delivery = walk.next();
		}
		walk.requireAll();
		return removed;
	}

	/**
	 * Send a message to a queue.
	 * @throws org.springframework.amqp.AmqpException if the broker has not confirmed it,
	 * or there is no queue for it
	 */
	void send(String queue, BasicProperties properties, byte[] body) {
		this.channels.run((channel) -> {
			publish(channel, queue, properties, body);
			return 1;
		});
	}

	private static void publish(Channel channel, String queue, BasicProperties properties, byte[] body) {
		AtomicBoolean isReturned = new AtomicBoolean();
		try {
			channel.confirmSelect();
			channel.addReturnListener((returned) -> isReturned.set(true));
			channel.basicPublish("", queue, true, properties, body);
			channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
		}
		catch (IOException ex) {
			throw new AmqpIOException(ex);
		}
		catch (ShutdownSignalException | IllegalStateException ex) {
			throw new AmqpIOException("The broker has refused a message", ex);
		}
		catch (TimeoutException ex) {
			throw new AmqpTimeoutException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AmqpTimeoutException(ex);
		}
		if (isReturned.get()) {
			throw new AmqpIOException(new IOException("There is no queue '%s'".formatted(queue)));
		}
	}

	private static BasicProperties properties(MessageProperties received, String reason) {
		MessageProperties dead = MessagePropertiesBuilder.fromClonedProperties(received)
			.setDeliveryMode(MessageDeliveryMode.PERSISTENT)
			.setHeader(RepublishMessageRecoverer.X_ORIGINAL_EXCHANGE,
					Objects.toString(received.getReceivedExchange(), ""))
			.setHeader(RepublishMessageRecoverer.X_ORIGINAL_ROUTING_KEY,
					Objects.toString(received.getReceivedRoutingKey(), ""))
			.setHeader(RepublishMessageRecoverer.X_EXCEPTION_MESSAGE, reason)
			.build();
		// It would vanish
		dead.setExpiration(null);
		dead.getHeaders().keySet().removeAll(OF_THE_BROKER);
		return new DefaultMessagePropertiesConverter().fromMessageProperties(dead, "UTF-8");
	}

	/** The innermost cause: what is around it says only that a listener has failed. */
	static String reason(Throwable failure) {
		Throwable cause = failure;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		String reason = Objects.toString(cause.getMessage(), cause.getClass().getName());
		return (reason.length() > LONGEST_REASON) ? reason.substring(0, LONGEST_REASON) : reason;
	}

}
