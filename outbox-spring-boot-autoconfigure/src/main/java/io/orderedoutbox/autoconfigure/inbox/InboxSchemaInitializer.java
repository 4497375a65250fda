/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.OutboxSchemaInitializer;
import io.orderedoutbox.schema.SchemaScript;
import io.orderedoutbox.schema.ScriptedTables;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.util.StringUtils;

/**
 * Creates the tables of the inbox where it is told to, and adds columns that a table
 * lacks if the server can do that at once.
 */
public class InboxSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	private final @Nullable ScriptedTables schema;

	/**
	 * Create an initializer.
	 * @param dataSource where the tables are
	 * @param schema the tables, or {@code null} if they are not to be created
	 */
	public InboxSchemaInitializer(DataSource dataSource, @Nullable ScriptedTables schema) {
		super(dataSource, settings(schema));
		this.schema = schema;
	}

	private static DatabaseInitializationSettings settings(@Nullable ScriptedTables schema) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode((schema != null) ? DatabaseInitializationMode.ALWAYS : DatabaseInitializationMode.NEVER);
		if (schema != null) {
			settings.setSchemaLocations(List.of(schema.location()));
		}
		return settings;
	}

	@Override
	public void afterPropertiesSet() throws Exception {
		try {
			super.afterPropertiesSet();
		}
		catch (ScriptException | IllegalStateException ex) {
			throw new OutboxConfigurationException(
					"The tables of the inbox could not be created: %s.".formatted(StringUtils.trimTrailingCharacter(
							String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage()), '.')),
					"Check the rights of the database's user, or run the script with your migration tool and set outbox.inbox.initialize-schema=never.",
					ex);
		}
		catch (DataAccessException ex) {
			throw notCreated(ex);
		}
	}

	/**
	 * Return what ends the start where the database could not be asked.
	 */
	static OutboxConfigurationException notCreated(DataAccessException ex) {
		return OutboxSchemaInitializer.notCreated(ex, "inbox", "outbox.inbox.initialize-schema");
	}

	@Override
	protected void runScripts(Scripts scripts) {
		ScriptedTables tables = Objects.requireNonNull(this.schema);
		DataSource dataSource = Objects.requireNonNull(getDataSource());
		scripts.forEach((script) -> tables.create(dataSource, tables.named(SchemaScript.of(script)),
				(one, text) -> run(one, text, script.getDescription())));
		tables.addMissingColumns(dataSource);
	}

	private static void run(DataSource dataSource, SchemaScript script, String description) {
		ResourceDatabasePopulator populator = new ResourceDatabasePopulator(
				new ByteArrayResource(script.text().getBytes(StandardCharsets.UTF_8), description));
		populator.setSqlScriptEncoding(StandardCharsets.UTF_8.name());
		populator.execute(dataSource);
	}

}
