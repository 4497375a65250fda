/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * The port of a proxy, which is the same for its whole life, although nobody may listen.
 */
final class TcpListener {

	static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final TcpLinks links;

	private final AtomicInteger accepted = new AtomicInteger();

	private ServerSocket socket;

	/**
	 * @param links where connections are opened
	 */
	TcpListener(TcpLinks links) {
		this.links = links;
		this.socket = listen(0);
	}

	synchronized int port() {
		return this.socket.getLocalPort();
	}

	/**
	 * How many connections clients have opened, whether or not a server answered.
	 */
	int accepted() {
		return this.accepted.get();
	}

	synchronized void start() {
		this.socket = listen(this.socket.getLocalPort());
	}

	synchronized void stop() {
		close(this.socket);
	}

	private ServerSocket listen(int port) {
		try {
			ServerSocket listening = bind(port);
			thread(() -> accept(listening));
			return listening;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The proxy cannot listen", ex);
		}
	}

	// A port that the system chooses may be given to somebody's outgoing connection while
	// the proxy is stopped: these are from below that range. And the system may take a
	// moment to free the port of a listener that was just accepting
	private static ServerSocket bind(int port) throws IOException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			ServerSocket listening = new ServerSocket();
			listening.setReuseAddress(true);
			int wanted = (port != 0) ? port : ThreadLocalRandom.current().nextInt(15_000, 30_000);
			try {
				listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
				return listening;
			}
			catch (BindException ex) {
				listening.close();
				if (System.nanoTime() > deadline) {
					throw ex;
				}
				Thread.onSpinWait();
			}
		}
	}

	private void accept(ServerSocket accepting) {
		while (true) {
			Socket client = null;
			try {
				client = accepting.accept();
				this.accepted.incrementAndGet();
				this.links.open(client);
				if (accepting.isClosed()) {
					this.links.reset();
				}
			}
			catch (IOException ex) {
				close(client);
				if (accepting.isClosed()) {
					return;
				}
			}
		}
	}

	static void thread(Runnable task) {
		Thread thread = new Thread(task, "tcp-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	static void close(@Nullable AutoCloseable closeable) {
		try {
			if (closeable != null) {
				closeable.close();
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException("A socket could not be closed", ex);
		}
	}

}
