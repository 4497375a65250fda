package io.orderedoutbox.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jdbc.init.DatabaseInitializationProperties;

/**
 * Configuration properties of the outbox's tables.
 */
@ConfigurationProperties("outbox.jdbc")
public final class OutboxJdbcProperties extends DatabaseInitializationProperties {

	/**
	 * What the names of the tables begin with.
	 */
	private String tablePrefix = "outbox_";

	/**
	 * Create properties in which a failing script fails the start.
	 */
	public OutboxJdbcProperties() {
		setContinueOnError(false);
	}

	public String getTablePrefix() {
		return this.tablePrefix;
	}

	public void setTablePrefix(String tablePrefix) {
		this.tablePrefix = tablePrefix;
	}

	@Override
	public String getDefaultSchemaLocation() {
		return "classpath:io/orderedoutbox/store/schema-@@platform@@.sql";
	}

}
