/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;
import java.util.Set;

import io.orderedoutbox.documentation.Documents.Block;
import io.orderedoutbox.servers.Database;

/**
 * The page about migration, with the SQL of MySQL and MariaDB, and the one with that of
 * PostgreSQL.
 */
final class MigrationPages {

	private static final String PAGE = "migration.md";

	private static final String POSTGRESQL_PAGE = "migration-postgresql.md";

	private static final Set<String> BESIDE_OTHER_TABLES = Set.of(MigrationProcedure.HOME_MADE,
			MigrationProcedure.MODULITH, MigrationProcedure.NAMASTACK);

	private MigrationPages() {
	}

	/**
	 * The SQL of a procedure for a database.
	 */
	static List<Block> blocks(Database database, String heading) {
		// That of RabbitTemplate is the same everywhere
		boolean isOnItsOwnPage = database.isPostgreSql() && !heading.equals(MigrationProcedure.RABBIT_TEMPLATE);
		return blocks(isOnItsOwnPage ? POSTGRESQL_PAGE : PAGE, heading);
	}

	/**
	 * How the function is created that a database lacks, and how it is dropped.
	 */
	static List<Block> function(Database database) {
		return database.isPostgreSql() ? blocks(POSTGRESQL_PAGE, "## The lane of a message") : List.of();
	}

	private static List<Block> blocks(String document, String heading) {
		return Documents.blocks("sql")
			.stream()
			.filter((block) -> block.document().equals(document) && block.heading().equals(heading))
			.toList();
	}

	/**
	 * Whether a block needs the tables of something else, or another database.
	 */
	static boolean isRunInItsPlaceOnly(Block block) {
		return block.document().equals(POSTGRESQL_PAGE)
				|| block.document().equals(PAGE) && BESIDE_OTHER_TABLES.contains(block.heading());
	}

}
