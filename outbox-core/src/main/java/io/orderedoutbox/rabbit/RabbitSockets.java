/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.SocketFactory;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets of a connection factory, so that they can be cut, and so that what a thread
 * sends in one go leaves in one go.
 * <p>
 * A client that closes or aborts a connection has to write to it first. Where the broker
 * no longer reads, that write waits behind those of the messages, and none of them ever
 * gets through. Cutting the socket ends every such wait at once.
 */
final class RabbitSockets implements SocketConfigurator {

	private static final Logger logger = LoggerFactory.getLogger(RabbitSockets.class);

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final ThreadLocal<Boolean> corked = new ThreadLocal<>();

	private final LateFlush lateFlush = new LateFlush(this.sockets);

	/**
	 * Take charge of the sockets that a factory makes. An application that has a socket
	 * factory of its own, or encrypts, keeps its sockets: they are never corked.
	 */
	static RabbitSockets of(ConnectionFactory client) {
		RabbitSockets sockets = new RabbitSockets();
		client.setSocketConfigurator(client.getSocketConfigurator().andThen(sockets));
		SocketFactory factory = client.getSocketFactory();
		if (!client.isSSL() && (factory == null || factory == SocketFactory.getDefault())) {
			client.setSocketFactory(new CorkingSocketFactory(sockets::isCorked, sockets.lateFlush::expect));
		}
		return sockets;
	}

	/**
	 * The current thread is going to send more: what it sends need not leave before it
	 * uncorks the sockets.
	 */
	void cork() {
		this.corked.set(true);
	}

	private boolean isCorked() {
		return this.corked.get() != null;
	}

	/**
	 * Send what the sockets have held back for the current thread.
	 */
	void uncork() throws IOException {
		if (isCorked()) {
			this.corked.remove();
			for (Socket socket : this.sockets) {
				if (socket instanceof CorkingSocket corking && !socket.isClosed()) {
					corking.uncork();
				}
			}
		}
	}

	/**
	 * The current thread sends nothing more. What a socket has left leaves with the next
	 * message that is sent through it, if the socket lives on.
	 */
	void abandon() {
		this.corked.remove();
	}

	@Override
	public void configure(Socket socket) {
		this.sockets.removeIf(Socket::isClosed);
		this.sockets.add(socket);
	}

	/**
	 * Close all sockets without a word to the other side.
	 */
	void cut() {
		for (Socket socket : this.sockets) {
			try {
				socket.setSoLinger(true, 0);
				socket.close();
			}
			catch (IOException ex) {
				logger.debug("A socket could not be closed: it is closed already", ex);
			}
		}
		this.sockets.removeIf(Socket::isClosed);
	}

}
