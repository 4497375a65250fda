/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import io.orderedoutbox.rabbit.BrokerSettings;
import io.orderedoutbox.rabbit.CurrentCredentials;
import io.orderedoutbox.rabbit.RelayConnectionFactory;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;

/**
 * Connections for the queues of shards alone, with the settings of the application's. Who
 * uses one does not wait long for a broker that is away, and is not stopped by a broker
 * that lets nobody publish.
 */
final class ShardConnection {

	/**
	 * How many milliseconds a connection may take.
	 */
	static final int PATIENCE = 5_000;

	private ShardConnection() {
	}

	static CachingConnectionFactory of(AbstractConnectionFactory application, String name) {
		com.rabbitmq.client.ConnectionFactory client = CurrentCredentials
			.copyOf(application.getRabbitConnectionFactory());
		client.setConnectionTimeout(PATIENCE);
		client.setHandshakeTimeout(PATIENCE);
		// It is silent about what its users say themselves
		CachingConnectionFactory own = new RelayConnectionFactory(client);
		own.setPublisherConfirmType(ConfirmType.NONE);
		BrokerSettings.of(application).applyTo(own);
		own.setCloseTimeout(PATIENCE);
		own.setConnectionNameStrategy((any) -> name);
		return own;
	}

}
