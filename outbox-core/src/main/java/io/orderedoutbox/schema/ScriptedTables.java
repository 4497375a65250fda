package io.orderedoutbox.schema;

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
	 * Add columns that a table lacks, if the server can do that at once.
	 * @param dataSource where the tables are
	 * @throws OutboxConfigurationException if the server refuses that
	 */
	void addMissingColumns(DataSource dataSource);

}
