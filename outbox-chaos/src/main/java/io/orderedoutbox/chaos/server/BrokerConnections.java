/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import java.io.IOException;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;

/**
 * The suite's own connections to the broker. They pass through no proxy.
 */
public final class BrokerConnections {

	private static final int LIMIT = 5;

	private BrokerConnections() {
	}

	/**
	 * Open a connection that does not come back by itself when it is lost.
	 * @param servers where the broker is
	 * @param name the name of the connection
	 * @return an open connection
	 * @throws IOException if the broker cannot be reached
	 */
	public static Connection open(ControlledServers servers, String name) throws IOException {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setHost(servers.brokerHost());
		factory.setPort(servers.brokerPort());
		factory.setUsername(servers.brokerUser());
		factory.setPassword(servers.brokerPassword());
		factory.setAutomaticRecoveryEnabled(false);
		factory.setRequestedHeartbeat(LIMIT);
		factory.setConnectionTimeout(LIMIT * 1000);
		factory.setHandshakeTimeout(LIMIT * 1000);
		factory.setChannelRpcTimeout(LIMIT * 1000);
		factory.setExceptionHandler(new QuietExceptionHandler());
		try {
			return factory.newConnection(name);
		}
		catch (TimeoutException ex) {
			throw new IOException("The broker is silent", ex);
		}
	}

	/**
	 * Takes it for granted that connections are lost.
	 */
	private static final class QuietExceptionHandler extends ForgivingExceptionHandler {

		@Override
		public void handleUnexpectedConnectionDriverException(Connection connection, Throwable exception) {
			// Whoever uses the connection notices
		}

	}

}
