/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jdbc.init.DatabaseInitializationProperties;

/**
 * Configuration properties of the outbox's tables.
 */
@ConfigurationProperties("outbox.jdbc")
public final class OutboxJdbcProperties extends DatabaseInitializationProperties {

	/**
	 * Prefix of the names of the tables.
	 */
	private String tablePrefix = "outbox_";

	/**
	 * Whether the statement that stores a single event is prepared by the server, once
	 * for each connection. Only MySQL's driver can do that.
	 */
	private boolean prepareOnServer;

	/**
	 * Whether a transaction with events makes sure, before its commit, that the server
	 * has not ended it since it began. Costs a round trip for each transaction that may
	 * write, and another one if it has events.
	 */
	private boolean verifyTransaction;

	/**
	 * Whether the DataSource, or Hibernate, may route to several databases. All
	 * transactions that write, and threads without a transaction, must reach one and the
	 * same.
	 */
	private boolean acceptRouting;

	/**
	 * Platform whose script is printed to standard output: then the process ends, before
	 * it connects to anything. For example mysql.
	 */
	private @Nullable String printSchema;

	/**
	 * Create properties in which a failing script fails the start.
	 */
	public OutboxJdbcProperties() {
		setContinueOnError(false);
	}

	/**
	 * Return what the names of the tables begin with.
	 * @return the prefix
	 */
	public String getTablePrefix() {
		return this.tablePrefix;
	}

	/**
	 * Set what the names of the tables begin with.
	 * @param tablePrefix the prefix
	 */
	public void setTablePrefix(String tablePrefix) {
		this.tablePrefix = tablePrefix;
	}

	/**
	 * Return whether the statement that stores a single event is prepared by the server.
	 * @return whether it is
	 */
	public boolean isPrepareOnServer() {
		return this.prepareOnServer;
	}

	/**
	 * Set whether the statement that stores a single event is prepared by the server.
	 * @param prepareOnServer whether it is
	 */
	public void setPrepareOnServer(boolean prepareOnServer) {
		this.prepareOnServer = prepareOnServer;
	}

	/**
	 * Return whether a transaction makes sure that the server has not ended it.
	 * @return whether it does
	 */
	public boolean isVerifyTransaction() {
		return this.verifyTransaction;
	}

	/**
	 * Set whether a transaction makes sure that the server has not ended it.
	 * @param verifyTransaction whether it does
	 */
	public void setVerifyTransaction(boolean verifyTransaction) {
		this.verifyTransaction = verifyTransaction;
	}

	/**
	 * Return whether the DataSource may route to several databases.
	 * @return whether it may
	 */
	public boolean isAcceptRouting() {
		return this.acceptRouting;
	}

	/**
	 * Set whether the DataSource may route to several databases.
	 * @param acceptRouting whether it may
	 */
	public void setAcceptRouting(boolean acceptRouting) {
		this.acceptRouting = acceptRouting;
	}

	/**
	 * Return the platform whose script is printed.
	 * @return the platform, {@code null} if none is
	 */
	public @Nullable String getPrintSchema() {
		return this.printSchema;
	}

	/**
	 * Set the platform whose script is printed.
	 * @param printSchema the platform
	 */
	public void setPrintSchema(@Nullable String printSchema) {
		this.printSchema = printSchema;
	}

	@Override
	public String getDefaultSchemaLocation() {
		return "classpath:io/orderedoutbox/jdbc/schema-@@platform@@.sql";
	}

}
