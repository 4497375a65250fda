/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.chaos.server.BrokerConnections;
import io.orderedoutbox.chaos.server.ControlledServers;

/**
 * Commands for a broker that may be away for a while when they are given.
 *
 * @param servers where the broker is
 */
record BrokerCommands(ControlledServers servers) {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	void give(Command command) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			try (Connection connection = BrokerConnections.open(this.servers, "chaos-topology")) {
				command.run(connection.createChannel());
				return;
			}
			catch (IOException | AlreadyClosedException ex) {
				if (System.nanoTime() - deadline > 0) {
					throw new IllegalStateException("The broker cannot be told for " + PATIENCE, ex);
				}
			}
			try {
				TimeUnit.MILLISECONDS.sleep(200);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted while waiting for the broker", ex);
			}
		}
	}

	/**
	 * What the broker is told, as a whole again if it could not be told to the end.
	 */
	interface Command {

		void run(Channel channel) throws IOException;

	}

}
