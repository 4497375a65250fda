/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.schema.Difference;
import io.orderedoutbox.schema.InstantAdditions;
import io.orderedoutbox.schema.SchemaComparison;
import io.orderedoutbox.schema.SchemaDialect;
import io.orderedoutbox.schema.SchemaScript;
import io.orderedoutbox.schema.SchemaVersion;
import io.orderedoutbox.schema.ScriptedTables;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The tables of an inbox as they should be: the script that creates them, and what the
 * tables of a database lack.
 */
public final class InboxSchema implements ScriptedTables {

	private static final String DEFAULT_TABLE = "inbox_message";

	private static final String DEFAULT_DEAD_LETTERS = "inbox_dead_letter";

	// In these, a text stands for a message, a consumer, or a key
	private static final Set<String> DISTINCT = Set.of("message_id", "consumer", "shards", "ordering_key");

	private final SchemaDialect dialect;

	private final String table;

	private final String deadLetterTable;

	/**
	 * Create it.
	 * @param platform the database: {@code mysql}, {@code mariadb}, {@code postgresql} or
	 * {@code h2}
	 * @param table the name of the table of what was processed
	 * @param deadLetterTable the name of the table of dead letters that others follow
	 * @throws OutboxConfigurationException if there is no script for the platform
	 */
	public InboxSchema(String platform, String table, String deadLetterTable) {
		this.dialect = SchemaDialect.of(platform);
		this.table = table;
		this.deadLetterTable = deadLetterTable;
	}

	@Override
	public String location() {
		return "classpath:io/orderedoutbox/inbox/" + name();
	}

	private String name() {
		return "schema-%s.sql".formatted(this.dialect.platform());
	}

	/**
	 * Return the script that creates the tables.
	 * @return the script, which can be run again and again
	 */
	public SchemaScript script() {
		return named(SchemaScript.of(new ClassPathResource(name(), InboxSchema.class)));
	}

	@Override
	public SchemaScript named(SchemaScript script) {
		return script.changed(
				(sql) -> sql.replace(DEFAULT_TABLE, this.table).replace(DEFAULT_DEAD_LETTERS, this.deadLetterTable));
	}

	@Override
	public void create(DataSource dataSource, SchemaScript script, BiConsumer<DataSource, SchemaScript> run) {
		onOneConnection(dataSource, (one) -> {
			JdbcTemplate jdbc = new JdbcTemplate(one);
			InboxSql.of(this.dialect.platform()).create(jdbc, this.table, () -> {
				try {
					SchemaVersion.requireKnown(jdbc, this.dialect, script(), this.table);
					run.accept(one, script.ofMissingTables(jdbc, this.dialect));
				}
				finally {
					endTransaction(jdbc);
				}
			});
		});
	}

	// What has failed may leave nothing else to do in its transaction
	private static void endTransaction(JdbcTemplate jdbc) {
		jdbc.execute((Connection connection) -> {
			if (!connection.getAutoCommit()) {
				connection.rollback();
			}
			return true;
		});
	}

	@Override
	public void addMissingColumns(DataSource dataSource) {
		onOneConnection(dataSource,
				(one) -> new InstantAdditions(this.dialect, comparison()).add(new JdbcTemplate(one)));
	}

	// Locks and settings of a session are those of one connection
	private static void onOneConnection(DataSource dataSource, Consumer<DataSource> work) {
		new JdbcTemplate(dataSource).execute((Connection connection) -> {
			work.accept(new SingleConnectionDataSource(connection, true));
			return true;
		});
	}

	/**
	 * What one of the tables lacks.
	 * @throws OutboxConfigurationException if the tables are newer than this version
	 */
	List<Difference> missing(JdbcTemplate jdbc, String name) {
		SchemaVersion.requireKnown(jdbc, this.dialect, script(), this.table);
		return comparison().differences(jdbc).stream().filter((difference) -> difference.table().equals(name)).toList();
	}

	private SchemaComparison comparison() {
		return new SchemaComparison(script(), this.dialect, DISTINCT);
	}

}
