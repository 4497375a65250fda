/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import java.time.Duration;

import javax.sql.DataSource;

/**
 * A database and a broker that may be killed. Verbs return when it is done, and throw
 * {@link IllegalStateException} when it could not be done in time.
 */
public interface ControlledServers extends AutoCloseable {

	/**
	 * Return the URL of a schema that exists, with the options that the driver needs.
	 * @return the JDBC URL
	 */
	String jdbcUrl();

	/**
	 * Return the user that applications connect with. It may create schemas.
	 * @return the user of the database
	 */
	String databaseUser();

	/**
	 * Return the password of {@link #databaseUser()}.
	 * @return the password
	 */
	String databasePassword();

	/**
	 * Return an administrator's way to the same schema, whose connections
	 * {@link #killDatabaseConnections} spares.
	 * @return a data source that opens a connection each time
	 */
	DataSource administration();

	/**
	 * Return the same way to another schema.
	 * @param schema the schema
	 * @return a data source that opens a connection each time
	 */
	DataSource administration(String schema);

	/**
	 * Return the broker's host.
	 * @return the host
	 */
	String brokerHost();

	/**
	 * Return the broker's AMQP port.
	 * @return the port
	 */
	int brokerPort();

	/**
	 * Return the broker's user.
	 * @return the user
	 */
	String brokerUser();

	/**
	 * Return the broker's password.
	 * @return the password
	 */
	String brokerPassword();

	/**
	 * Kill the database as {@code kill -9} does.
	 */
	void killDatabase();

	/**
	 * Start the database and wait until it answers.
	 */
	void startDatabase();

	/**
	 * Kill the broker as {@code kill -9} does.
	 */
	void killBroker();

	/**
	 * Start the broker and wait until it answers.
	 */
	void startBroker();

	/**
	 * Stop the node but not its runtime: {@code rabbitmqctl stop_app}.
	 */
	void stopBrokerNode();

	/**
	 * Start the node that was stopped: {@code rabbitmqctl start_app}.
	 */
	void startBrokerNode();

	/**
	 * Close connections from the broker's side.
	 * @param nameBeginsWith only those whose {@code connection_name} property begins with
	 * it; empty for all
	 */
	void closeBrokerConnections(String nameBeginsWith);

	/**
	 * Kill the connections of the database's ordinary user, one after the other.
	 * @param pause how long to wait between two of them
	 */
	void killDatabaseConnections(Duration pause);

	/**
	 * Raise or end the broker's memory alarm: it blocks all that publish.
	 * @param on whether there is an alarm
	 */
	void memoryAlarm(boolean on);

	/**
	 * Run {@code rabbitmqctl} against the broker.
	 * @param arguments its arguments
	 * @return what it printed
	 */
	String brokerControl(String... arguments);

	@Override
	void close();

}
