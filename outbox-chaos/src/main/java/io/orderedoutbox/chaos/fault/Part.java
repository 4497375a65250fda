/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

/**
 * What can be broken.
 */
public enum Part {

	/**
	 * Relays, and the network between one of them and the servers.
	 */
	RELAY,

	/**
	 * Writers, and the network between one of them and the database.
	 */
	WRITER,

	/**
	 * Consumers, and the network between one of them and the servers.
	 */
	CONSUMER,

	/**
	 * The database server, the tables in it, and everybody's connections to it.
	 */
	DATABASE,

	/**
	 * The broker, its exchanges and queues, and everybody's connections to it.
	 */
	BROKER

}
