/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.schema.Difference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Checks that the table of the inbox is there with its columns and indexes, and that two
 * messages are one to it only if all bytes of their ids are the same.
 */
public final class InboxCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(InboxCheck.class);

	/** What to do when a table is missing or not as it should be. */
	public static final String REMEDY = "Set outbox.inbox.initialize-schema=always to have a missing table created, or make it as in schema-mysql.sql, schema-mariadb.sql, schema-postgresql.sql or schema-h2.sql (in package io.orderedoutbox.inbox of the library) with your migration tool.";

	/** What to do besides when a table cannot be read. */
	public static final String RIGHTS = " If the table is there, give the database's user the rights to read and write it.";

	private final JdbcTemplate jdbc;

	private final InboxRecords records;

	private final String table;

	private final Supplier<InboxSchema> schema;

	/**
	 * Create a check.
	 * @param dataSource where the table is
	 * @param table the name of the table
	 * @param schema the tables as they should be; asked for when the check begins
	 */
	public InboxCheck(DataSource dataSource, String table, Supplier<InboxSchema> schema) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.records = new InboxRecords(this.jdbc, table);
		this.table = table;
		this.schema = schema;
	}

	/**
	 * Check. A database that cannot be reached is told of, and nothing more.
	 * @throws OutboxConfigurationException if the table is missing or not as it should be
	 */
	@Override
	public void afterSingletonsInstantiated() {
		boolean isDistinct;
		List<Difference> missing;
		try {
			isDistinct = this.records.check();
			missing = this.schema.get().missing(this.jdbc, this.table);
		}
		catch (DataAccessResourceFailureException ex) {
			String error = String.valueOf(ex.getMessage());
			logger.atWarn()
				.addKeyValue("error", error)
				.log("The table of the inbox could not be checked: {}. Listeners work as soon as the database can be reached",
						error);
			return;
		}
		catch (DataAccessException ex) {
			throw new OutboxConfigurationException(
					"The table of the inbox, '%s', is missing or not as it should be: %s.".formatted(this.table,
							ex.getMostSpecificCause().getMessage()),
					REMEDY + RIGHTS, ex);
		}
		if (!isDistinct) {
			throw new OutboxConfigurationException(
					"The table of the inbox, '%s', must have the primary key (consumer, message_id), and a collation of message_id in which different ids are never equal; on PostgreSQL message_id is of type BYTEA."
						.formatted(this.table),
					REMEDY);
		}
		if (!missing.isEmpty()) {
			throw new OutboxConfigurationException("The table of the inbox, '%s', is not as it should be: %s."
				.formatted(this.table, Difference.texts(missing)), Difference.remedy(missing, (isAdded) -> REMEDY));
		}
	}

}
