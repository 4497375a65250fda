/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application can start before its database, and works as soon as it is there.
 */
@ExtendWith(OutputCaptureExtension.class)
class DatabaseAwayTests {

	@Test
	void startsWithAWarningAndRelaysOnceTheDatabaseIsThere(CapturedOutput output) throws IOException {
		Database database = Servers.database().fresh();
		OutboxApplication.on(database).withoutRelay().start().close();
		URI server = URI.create(database.jdbcUrl().substring("jdbc:".length()));
		int port = freePort();
		String url = database.jdbcUrl().replace(server.getAuthority(), "127.0.0.1:" + port);
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(database)
					.sendingTo(queue)
					.with("spring.datasource.url", url)
					.with("spring.datasource.hikari.connection-timeout", "2000")
					.with("outbox.jdbc.initialize-schema", "never")
					.start()) {
			assertThat(output).contains("WARN", "The tables of the outbox could not be checked");
			Forwarder forwarder = new Forwarder(port, server);
			try {
				application.publish(new OrderPlaced("a", 1));
				queue.await(1);
				application.awaitEmpty();
			}
			finally {
				forwarder.close();
			}
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/**
	 * Makes a server appear on another port.
	 */
	private static final class Forwarder {

		private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

		private final ServerSocket listener;

		private final URI server;

		Forwarder(int port, URI server) throws IOException {
			this.listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
			this.server = server;
			daemon(this::accept);
		}

		private void accept() throws IOException {
			while (!this.listener.isClosed()) {
				Socket client = this.listener.accept();
				Socket target = new Socket(this.server.getHost(), this.server.getPort());
				this.sockets.add(client);
				this.sockets.add(target);
				daemon(() -> client.getInputStream().transferTo(target.getOutputStream()));
				daemon(() -> target.getInputStream().transferTo(client.getOutputStream()));
			}
		}

		private static void daemon(Task task) {
			Thread thread = new Thread(() -> {
				try {
					task.run();
				}
				catch (IOException ex) {
					// closed by one of the sides
				}
			}, "forwarder");
			thread.setDaemon(true);
			thread.start();
		}

		void close() throws IOException {
			this.listener.close();
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}

		private interface Task {

			void run() throws IOException;

		}

	}

}
