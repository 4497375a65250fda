/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A Qpid broker in this JVM that keeps its messages in memory. It speaks AMQP 0-9-1 much
 * as RabbitMQ does: it takes RabbitMQ's declare arguments, but ignores most of them.
 */
public final class EmbeddedQpid implements AutoCloseable {

	private static final String USERNAME = "outbox";

	private final QpidLauncher launcher;

	private final Path directory;

	private final int port;

	private boolean closed;

	private EmbeddedQpid(QpidLauncher launcher, Path directory, int port) {
		this.launcher = launcher;
		this.directory = directory;
		this.port = port;
	}

	/**
	 * Starts a broker on a free port of the loopback interface.
	 * @return the running broker
	 */
	public static EmbeddedQpid start() {
		return start(0);
	}

	/**
	 * Starts a broker on a given port: how a stopped one comes back where its clients
	 * look for it, without its messages, queues and exchanges.
	 * @param port the port, or 0 for a free one
	 * @return the running broker
	 */
	public static EmbeddedQpid start(int port) {
		requireFree(port);
		try {
			return start(port, Files.createTempDirectory("outbox-qpid-"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The embedded Qpid cannot use the temporary directory", ex);
		}
	}

	// Qpid finds out as well, but says so in two stack traces on the console.
	private static void requireFree(int port) {
		try {
			new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
		}
		catch (IOException ex) {
			throw new IllegalStateException(
					"The embedded Qpid cannot have port " + port + ": stop what listens there or take another port",
					ex);
		}
	}

	private static EmbeddedQpid start(int port, Path directory) throws IOException {
		QpidLauncher launcher = new QpidLauncher(directory);
		try {
			EmbeddedQpid started = new EmbeddedQpid(launcher, directory, launcher.start(port));
			ExitActions.add(started::close);
			return started;
		}
		catch (Exception ex) {
			launcher.stop();
			DirectoryTree.delete(directory);
			throw new IllegalStateException(
					"The embedded Qpid did not start: give a broker in OUTBOX_RABBITMQ_HOST instead, or start Docker",
					ex);
		}
	}

	/**
	 * Returns the host.
	 * @return the loopback address
	 */
	public String host() {
		return "127.0.0.1";
	}

	/**
	 * Returns the port.
	 * @return the AMQP port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Returns the only user.
	 * @return the user name
	 */
	public String username() {
		return USERNAME;
	}

	/**
	 * Returns the user's password.
	 * @return the password
	 */
	public String password() {
		return USERNAME;
	}

	/**
	 * Stops the broker. Happens by itself when the JVM ends.
	 */
	@Override
	public synchronized void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.launcher.stop();
		try {
			DirectoryTree.delete(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("'" + this.directory + "' could not be removed: remove it by hand", ex);
		}
	}

}
