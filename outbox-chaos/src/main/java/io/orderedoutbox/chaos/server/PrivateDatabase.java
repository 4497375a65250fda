/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

/**
 * A database of the suite's own, on the loopback interface. Its administrator may do
 * everything and has no password.
 */
interface PrivateDatabase {

	/**
	 * Start the database, and wait until it answers.
	 */
	void start();

	/**
	 * Kill the database as {@code kill -9} does.
	 */
	void kill();

	/**
	 * Stop the database for good.
	 */
	void stop();

	/**
	 * Return the port that the database listens on once it was started.
	 * @return the port
	 */
	int port();

}
