/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;

/**
 * A running AMQP 0-9-1 broker. All users of a JVM share it: give exchanges and queues
 * names of their own.
 *
 * @param kind where the broker comes from
 * @param host the host
 * @param port the AMQP port
 * @param username a user that may declare, publish and consume
 * @param password the user's password
 * @param version the product and its version, as the broker says them
 */
public record Broker(ServerKind kind, String host, int port, String username, String password, String version) {

	static Broker connect(ServerKind kind, String host, int port, String username, String password) {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setHost(host);
		factory.setPort(port);
		factory.setUsername(username);
		factory.setPassword(password);
		factory.setAutomaticRecoveryEnabled(false);
		try (Connection connection = factory.newConnection("outbox-test-servers")) {
			Map<String, Object> properties = connection.getServerProperties();
			String version = properties.get("product") + " " + properties.get("version");
			return new Broker(kind, host, port, username, password, version);
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException("No AMQP 0-9-1 broker answers at " + host + ":" + port + " for user '"
					+ username + "': start it ('scripts/services up') or unset OUTBOX_RABBITMQ_HOST", ex);
		}
	}

	/**
	 * Whether this is RabbitMQ, not the embedded Qpid.
	 * @return {@code true} on RabbitMQ
	 */
	public boolean isRabbitMq() {
		return this.version.startsWith("RabbitMQ ");
	}

	String describe() {
		return this.version + " at " + this.host + ":" + this.port;
	}

}
