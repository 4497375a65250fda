/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.schema.Difference;
import io.orderedoutbox.schema.InstantAdditions;
import io.orderedoutbox.schema.SchemaComparison;
import io.orderedoutbox.schema.SchemaDialect;
import io.orderedoutbox.schema.SchemaScript;
import io.orderedoutbox.schema.SchemaVersion;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The tables of an outbox as they should be: the script that creates them, and what the
 * tables of a database lack.
 */
public final class OutboxSchema {

	// Long enough for a name, and with the longest table suffix under MySQL's 64
	// characters
	private static final Pattern PREFIX = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");

	private static final String DEFAULT_PREFIX = "outbox_";

	private static final String PARTITIONS = "WHERE i + 1 < %d)";

	private static final String DEFAULT_PARTITIONS = PARTITIONS.formatted(Partitions.DEFAULT_COUNT);

	// In these, the text of a key stands for the key
	private static final Set<String> DISTINCT = Set.of("partition_key");

	private static final Set<String> NEEDED = Set.of("message", "parked", "dead_letter", "partition", "stripe");

	private final OutboxDatabase database;

	private final SchemaDialect dialect;

	private final SchemaScript script;

	private final SchemaComparison comparison;

	OutboxSchema(OutboxDatabase database) {
		this.database = database;
		this.dialect = SchemaDialect.of(database.dialect().platform());
		this.script = script(this.dialect.platform(), database.tablePrefix(), database.partitions().count());
		this.comparison = new SchemaComparison(this.script, this.dialect, DISTINCT);
	}

	/**
	 * Return the script that creates the tables of an outbox.
	 * @param platform the database: {@code mysql}, {@code mariadb} or {@code postgresql}
	 * @param tablePrefix what the names of the tables begin with
	 * @param partitions how many partitions there are
	 * @return the script, which can be run again and again
	 * @throws OutboxConfigurationException if there is no script for the platform, or the
	 * prefix or the number of partitions is not possible
	 */
	public static SchemaScript script(String platform, String tablePrefix, int partitions) {
		requirePrefix(tablePrefix);
		Partitions.requireCount(partitions);
		String name = "schema-%s.sql".formatted(SchemaDialect.of(platform).platform());
		return named(SchemaScript.of(new ClassPathResource(name, OutboxSchema.class)), tablePrefix, partitions);
	}

	/**
	 * Return a script with the names, and the number of partitions, of an outbox.
	 * @param script the script, with those that ours have
	 * @param tablePrefix what the names of the tables begin with
	 * @param partitions how many partitions there are
	 * @return the changed script
	 */
	public static SchemaScript named(SchemaScript script, String tablePrefix, int partitions) {
		return script.changed((sql) -> sql.replace(DEFAULT_PREFIX, tablePrefix)
			.replace(DEFAULT_PARTITIONS, PARTITIONS.formatted(partitions)));
	}

	static void requirePrefix(String tablePrefix) {
		if (!PREFIX.matcher(tablePrefix).matches()) {
			throw new OutboxConfigurationException(
					"'outbox.jdbc.table-prefix' must be a letter followed by at most 39 letters, digits or underscores, but is '%s'."
						.formatted(tablePrefix),
					"Correct it. The prefix cannot name a schema: that is part of the DataSource's URL.");
		}
	}

	/**
	 * What the tables lack that the outbox cannot do without.
	 */
	List<Difference> missing(JdbcTemplate jdbc) {
		Set<String> needed = Stream
			.concat(NEEDED.stream(), this.database.isArchiving() ? Stream.of("archive") : Stream.empty())
			.map(this.database.tablePrefix()::concat)
			.collect(Collectors.toSet());
		return this.comparison.differences(jdbc)
			.stream()
			.filter((difference) -> needed.contains(difference.table()))
			.toList();
	}

	/**
	 * Adds what any of the tables lack.
	 */
	InstantAdditions additions() {
		return new InstantAdditions(this.dialect, this.comparison);
	}

	/**
	 * Refuse tables that a newer version has changed, so that this one cannot work with
	 * them.
	 */
	void requireKnownVersion(JdbcTemplate jdbc) {
		SchemaVersion.requireKnown(jdbc, this.dialect, this.script, this.database.tablePrefix() + "message");
	}

}
