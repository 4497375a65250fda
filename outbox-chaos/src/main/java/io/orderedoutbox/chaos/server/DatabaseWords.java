/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * What the suite's own statements call differently on the databases that it knows.
 */
public sealed interface DatabaseWords permits MySqlWords, PostgreSqlWords {

	/**
	 * Return the words of a database.
	 * @param jdbcUrl leads there
	 * @return its words
	 */
	static DatabaseWords of(String jdbcUrl) {
		return jdbcUrl.startsWith("jdbc:postgresql:") ? new PostgreSqlWords() : new MySqlWords();
	}

	/**
	 * Return the JDBC URL of a schema. It has options, so that others can be added.
	 * @param host the host of the server
	 * @param port its port
	 * @param schema the schema
	 * @return the URL
	 */
	String url(String host, int port, String schema);

	/**
	 * Return the URL of another schema on the same server.
	 * @param jdbcUrl the URL of one
	 * @param schema the other one
	 * @return the URL, with the same options
	 */
	static String urlOf(String jdbcUrl, String schema) {
		return jdbcUrl.replaceFirst("(//[^/]+/)[^?]*", "$1" + schema);
	}

	/**
	 * Return the URL with which the suite's administrator connects. A wait for a row lock
	 * ends within a fault.
	 * @param jdbcUrl the URL of others
	 * @return the URL
	 */
	String administration(String jdbcUrl);

	/**
	 * Return options of a URL that end a wait for a server that does not answer.
	 * @param connect how long a connection may take
	 * @param answer how long an answer may take
	 * @return the options
	 */
	String limits(Duration connect, Duration answer);

	/**
	 * Return an option of a URL that ends a wait for a row lock.
	 * @param wait how long a statement waits
	 * @return the option
	 */
	String lockWait(Duration wait);

	/**
	 * Return a statement that creates a schema.
	 * @param schema the schema
	 * @return the statement
	 */
	String createSchema(String schema);

	/**
	 * Return a statement that removes a schema, if there is one, whoever is connected.
	 * @param schema the schema
	 * @return the statement
	 */
	String dropSchema(String schema);

	/**
	 * Return a query for the schemas that are no part of the server itself.
	 * @return the query
	 */
	String schemas();

	/**
	 * Return the definition of a column that numbers the rows.
	 * @return type and primary key
	 */
	String numbered();

	/**
	 * Return the type of a column for ids.
	 * @return the type
	 */
	String id();

	/**
	 * Return the type of a column for keys that differ in any byte.
	 * @return the type
	 */
	String key();

	/**
	 * Return the type of a column for such keys that can be a primary key: spaces at the
	 * end count.
	 * @return the type
	 */
	String exactKey();

	/**
	 * Return a statement that counts one effect more of a key, which it binds.
	 * @return the statement
	 */
	String countEffect();

	/**
	 * Return a number at random.
	 * @return the expression
	 */
	String random();

	/**
	 * Return a query for the connections of a user but those of the suite's
	 * administrator, in any order. It binds the user.
	 * @return the query
	 */
	String connections();

	/**
	 * Return a statement that kills a connection.
	 * @param connection its number
	 * @return the statement
	 */
	String kill(long connection);

	/**
	 * Return statements after which a session is not the one that is given up in a
	 * deadlock, if it changes more than others.
	 * @return the statements
	 */
	List<String> preference();

	/**
	 * Return whether an error ends a wait for a lock: a deadlock, or a time that is over.
	 * @param error the error
	 * @return whether it does
	 */
	boolean isAboutLocks(SQLException error);

	/**
	 * Return whether an error says that the connection to be killed is not there.
	 * @param error the error
	 * @return whether it does
	 */
	boolean isGone(SQLException error);

}
