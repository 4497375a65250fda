/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.orderedoutbox.documentation.Documents.Block;
import io.orderedoutbox.servers.Database;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page about migration, with the SQL of MySQL and MariaDB, and the one with that of
 * PostgreSQL.
 */
final class MigrationPages {

	private static final String PAGE = "migration.md";

	private static final String POSTGRESQL_PAGE = "migration-postgresql.md";

	private static final Pattern REPLACEMENT = Pattern.compile("(?m)^\\| `(.*)` \\| `(.*)` \\|$");

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
	 * What is to be replaced in the SQL for the JPA registry of Spring Modulith, line by
	 * line of the page.
	 */
	static UnaryOperator<Block> rewritingForJpa(Database database) {
		Path page = Documents.root().resolve("docs").resolve(database.isPostgreSql() ? POSTGRESQL_PAGE : PAGE);
		String section = Documents.text(page).split("\n### With Modulith's JPA registry\n", 2)[1].split("\n##", 2)[0];
		List<MatchResult> lines = REPLACEMENT.matcher(section).results().toList();
		assertThat(lines).as("lines of the table in " + page).isNotEmpty();
		return (block) -> {
			Block rewritten = block;
			for (MatchResult line : lines) {
				rewritten = rewritten.with(line.group(1), line.group(2));
			}
			return rewritten;
		};
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
