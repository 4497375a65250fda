/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.io.IOException;
import java.util.Objects;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.AmqpResourceNotAvailableException;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Works on a channel that is not one of the cache, which would open another one when this
 * one is closed.
 */
final class OwnChannel {

	private final ConnectionFactory connectionFactory;

	OwnChannel(ConnectionFactory connectionFactory) {
		// On the connection of listeners the broker may let nobody publish, and the
		// threads
		// may be busy with their work
		ConnectionFactory publisher = connectionFactory.getPublisherConnectionFactory();
		this.connectionFactory = (publisher != null) ? publisher : connectionFactory;
	}

	/**
	 * Work on a channel, and close it.
	 * @throws org.springframework.amqp.AmqpException if the broker fails
	 */
	<T> T run(Step<T> step) {
		try (Connection connection = this.connectionFactory.createConnection()) {
			Channel channel = Objects.requireNonNull(connection.getDelegate(), "a connection of RabbitMQ")
				.createChannel();
			if (channel == null) {
				throw new AmqpResourceNotAvailableException("The connection to the broker has no channel left");
			}
			try {
				return step.run(channel);
			}
			finally {
				// So that what is left goes back to its place
				channel.abort();
			}
		}
		catch (IOException ex) {
			throw new AmqpIOException(ex);
		}
		catch (ShutdownSignalException ex) {
			throw new AmqpConnectException(ex);
		}
	}

	interface Step<T> {

		T run(Channel channel) throws IOException;

	}

}
