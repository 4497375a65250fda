/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.function.BiConsumer;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;

/**
 * Tables that a script creates, under the names that they have in an application.
 */
public interface ScriptedTables {

	/**
	 * Return where the script is.
	 * @return its location on the class path
	 */
	String location();

	/**
	 * Return a script with the names of these tables.
	 * @param script the script, with the names that ours have
	 * @return the changed script
	 */
	SchemaScript named(SchemaScript script);

	/**
	 * Create the tables that are missing, while no other instance does.
	 * @param dataSource where they are to be
	 * @param script a script with the names of these tables
	 * @param run runs what is left of the script, on the data source that it is given
	 */
	void create(DataSource dataSource, SchemaScript script, BiConsumer<DataSource, SchemaScript> run);

	/**
	 * Add columns that a table lacks, if the server can do that at once.
	 * @param dataSource where the tables are
	 * @throws OutboxConfigurationException if the server refuses that
	 */
	void addMissingColumns(DataSource dataSource);

}
