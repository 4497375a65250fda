/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import io.orderedoutbox.documentation.Documents.Block;
import io.orderedoutbox.servers.Database;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A library that people come from, with the script of its tables, which the build takes
 * out of its jar.
 */
enum OtherLibrary {

	/**
	 * Spring Modulith with the structure that it had in version 1.
	 */
	MODULITH_1("modulith/org/springframework/modulith/events/jdbc/schemas/v1/schema-%s.sql"),

	/**
	 * Spring Modulith with the structure of version 2.
	 */
	MODULITH_2("modulith/org/springframework/modulith/events/jdbc/schemas/v2/schema-%s.sql"),

	/**
	 * Spring Modulith with its entity for JPA, whose table Hibernate makes.
	 */
	MODULITH_JPA("modulith-jpa/"),

	/**
	 * The outbox of namastack.
	 */
	NAMASTACK("namastack/schema/%s/outbox-tables.sql");

	private final String script;

	OtherLibrary(String script) {
		this.script = script;
	}

	void createTables(Database database, DataSource dataSource) {
		if (this == MODULITH_JPA) {
			ModulithEntities.createTable(dataSource);
			return;
		}
		String platform = database.platform();
		String directory = (this == NAMASTACK && database.isPostgreSql()) ? "postgres" : platform;
		new ResourceDatabasePopulator(
				new ClassPathResource("tables-of-other-libraries/" + this.script.formatted(directory)))
			.execute(dataSource);
	}

	/**
	 * What has to be rewritten in the SQL of the page.
	 */
	UnaryOperator<Block> rewriting(Database database) {
		return (this == MODULITH_JPA) ? MigrationPages.rewritingForJpa(database) : UnaryOperator.identity();
	}

}
