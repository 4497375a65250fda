/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.connection.NoConnectionException;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxSchema;
import io.orderedoutbox.jdbc.SchemaCheck;
import io.orderedoutbox.jdbc.dialect.ServerQuestions;
import io.orderedoutbox.schema.SchemaDialect;
import io.orderedoutbox.schema.SchemaScript;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.DatabaseInitializationProperties;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.util.StringUtils;

/**
 * Creates the tables of the outbox where it is told to, adds columns that a table lacks
 * if the server can do that at once, and checks that everything is there.
 * <p>
 * The initializer works on a connection of its own, never on that of a transaction, and
 * holds a named lock of the server meanwhile, so that instances that start together do
 * not meet.
 */
public class OutboxSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	private static final Logger logger = LoggerFactory.getLogger(OutboxSchemaInitializer.class);

	private final OutboxDatabase database;

	/**
	 * Create an initializer.
	 * @param database the database of the outbox
	 * @param properties whether to create the tables, and from which script
	 */
	public OutboxSchemaInitializer(OutboxDatabase database, DatabaseInitializationProperties properties) {
		super(database.dataSource(), settings(database, properties));
		this.database = database;
	}

	private static DatabaseInitializationSettings settings(OutboxDatabase database,
			DatabaseInitializationProperties properties) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		boolean create = switch (properties.getInitializeSchema()) {
			case ALWAYS -> true;
			case EMBEDDED -> EmbeddedH2.holds(database);
			case NEVER -> false;
		};
		settings.setMode(create ? DatabaseInitializationMode.ALWAYS : DatabaseInitializationMode.NEVER);
		settings.setContinueOnError(properties.isContinueOnError());
		if (create) {
			String detected = platform(database);
			String platform = (properties.getPlatform() != null) ? properties.getPlatform() : detected;
			String script = Objects.requireNonNullElseGet(properties.getSchema(), properties::getDefaultSchemaLocation);
			settings.setSchemaLocations(List.of(script.replace("@@platform@@", platform)));
		}
		return settings;
	}

	// Asks in any case: nothing of a script runs on a database that is none of ours
	private static String platform(OutboxDatabase database) {
		try {
			return database.dialect().platform();
		}
		catch (DataAccessResourceFailureException ex) {
			throw notCreated(ex, "outbox", "outbox.jdbc.initialize-schema");
		}
	}

	/**
	 * Return what ends the start where tables were to be created, and the database did
	 * not let it.
	 * @param ex what the database, or the way to it, has answered
	 * @param owner whose tables they are
	 * @param property the property that had them created
	 * @return the description and the remedy
	 */
	public static OutboxConfigurationException notCreated(DataAccessException ex, String owner, String property) {
		String remedy = (ex instanceof NoConnectionException no && no.isRefused())
				? "Correct spring.datasource.url, spring.datasource.username and spring.datasource.password, or create the database, and the user with the rights on it."
				: "Start the database or correct the DataSource (spring.datasource.*). With %s=never the application can start before its database."
					.formatted(property);
		return new OutboxConfigurationException(
				"The tables of the %s could not be created: %s.".formatted(owner, ex.getMessage()), remedy, ex);
	}

	@Override
	public void afterPropertiesSet() throws Exception {
		try {
			super.afterPropertiesSet();
		}
		catch (ScriptException | IllegalStateException ex) {
			throw new OutboxConfigurationException(
					"The tables of the outbox could not be created: %s.".formatted(StringUtils.trimTrailingCharacter(
							String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage()), '.')),
					"Check outbox.jdbc.schema and the rights of the database's user, or run the script with your migration tool and set outbox.jdbc.initialize-schema=never.",
					ex);
		}
	}

	/**
	 * Check the tables, whoever has made them.
	 * @throws OutboxConfigurationException if they are not as they should be
	 */
	public void check() {
		try {
			new SchemaCheck(this.database).run();
		}
		catch (DataAccessResourceFailureException ex) {
			this.database.agreement().checkLater();
			String error = ex.getMessage();
			logger.atWarn()
				.addKeyValue("error", error)
				.log("The tables of the outbox could not be checked: {}. The outbox works as soon as it has a connection",
						error);
		}
	}

	@Override
	protected void runScripts(Scripts scripts) {
		try {
			this.database.work((jdbc) -> {
				runLocked(jdbc, scripts);
				return true;
			});
		}
		catch (ScriptException ex) {
			throw ex;
		}
		catch (DataAccessException ex) {
			throw notCreated(ex, "outbox", "outbox.jdbc.initialize-schema");
		}
	}

	private void runLocked(JdbcTemplate jdbc, Scripts scripts) {
		String prefix = this.database.tablePrefix();
		ServerQuestions questions = this.database.dialect().questions();
		if (query(jdbc, questions.lock(prefix)) != 1) {
			throw new OutboxConfigurationException(
					"Another instance has been creating the tables of the outbox for more than a minute.",
					"Start again when it has finished, or find out what holds it up.");
		}
		try {
			SchemaCheck check = new SchemaCheck(this.database);
			check.requireOwn(jdbc);
			ResourceDatabasePopulator populator = populator(jdbc, scripts);
			jdbc.execute((Connection connection) -> {
				populator.populate(connection);
				if (!connection.getAutoCommit()) {
					connection.commit();
				}
				return true;
			});
			check.addMissingColumns(jdbc);
			jdbc.execute((Connection connection) -> {
				if (!connection.getAutoCommit()) {
					connection.commit();
				}
				return true;
			});
		}
		finally {
			jdbc.execute((Connection connection) -> {
				// What has failed may leave nothing else to do in its transaction
				if (!connection.getAutoCommit()) {
					connection.rollback();
				}
				return true;
			});
			query(jdbc, questions.unlock(prefix));
		}
	}

	private static int query(JdbcTemplate jdbc, String sql) {
		Integer result = jdbc.queryForObject(sql, Integer.class);
		return (result != null) ? result : 0;
	}

	private ResourceDatabasePopulator populator(JdbcTemplate jdbc, Scripts scripts) {
		ResourceDatabasePopulator populator = new ResourceDatabasePopulator();
		populator.setContinueOnError(scripts.isContinueOnError());
		populator.setSeparator(scripts.getSeparator());
		populator.setSqlScriptEncoding(StandardCharsets.UTF_8.name());
		SchemaDialect dialect = SchemaDialect.of(this.database.dialect().platform());
		scripts.forEach((script) -> populator
			.addScript(ScriptText.changed(script, (sql) -> prefixed(sql).ofMissingTables(jdbc, dialect))));
		customize(populator);
		return populator;
	}

	private SchemaScript prefixed(SchemaScript script) {
		return OutboxSchema.named(script, this.database.tablePrefix(), this.database.partitions().count());
	}

}
