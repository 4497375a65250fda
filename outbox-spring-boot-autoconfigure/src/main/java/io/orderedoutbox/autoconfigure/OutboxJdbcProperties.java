package io.orderedoutbox.autoconfigure;

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

	@Override
	public String getDefaultSchemaLocation() {
		return "classpath:io/orderedoutbox/store/schema-@@platform@@.sql";
	}

}
