/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;
import java.util.UUID;

import io.orderedoutbox.testing.OutboxApplication;

/**
 * Mistakes with the tables.
 */
final class TableMistakes {

	private static final String NEVER = "outbox.jdbc.initialize-schema=never";

	static final List<Mistake> ALL = List.of(Mistake.properties(NEVER),
			new Mistake("`outbox.partitions=128` with tables for 64", (trial) -> {
				trial.afterStart();
				trial.with("outbox.partitions=128", NEVER);
			}), new Mistake("has a row of `outbox_stripe` with another number", (trial) -> {
				trial.afterStart("UPDATE outbox_stripe SET id = 700 WHERE id = 7");
				trial.with(NEVER);
			}), new Mistake("has lost rows of `outbox_stripe`", (trial) -> {
				trial.afterStart("DELETE FROM outbox_stripe WHERE id >= 60");
				trial.with(NEVER);
			}), new Mistake("has a table `outbox_message` of something else", (trial) -> {
				trial.with("outbox.jdbc.table-prefix=other_");
				trial.afterStart("CREATE TABLE outbox_message (id INT PRIMARY KEY)");
				trial.with("outbox.jdbc.table-prefix=outbox_");
			}), new Mistake("has tables that a newer version of the library has migrated", (trial) -> {
				trial.afterStart("ALTER TABLE outbox_message COMMENT = 'outbox schema 3'");
				trial.with(NEVER);
			}), new Mistake("has tables that version 1 of the library has made", (trial) -> {
				trial.afterStart("ALTER TABLE outbox_message RENAME COLUMN lane TO lost");
				trial.with(NEVER);
			}), new Mistake("has a table to which the server adds no column at once", (trial) -> {
				trial.afterStart("ALTER TABLE outbox_message DROP COLUMN last_error, ROW_FORMAT=COMPRESSED");
			}), new Mistake("has a user of the database that may not read the tables", TableMistakes::withoutRights),
			new Mistake("has a column with another character set", (trial) -> {
				trial.afterStart(
						"ALTER TABLE outbox_message MODIFY COLUMN exchange VARCHAR(255) CHARACTER SET latin1 NOT NULL");
				trial.with(NEVER);
			}), new Mistake("has keys in a collation in which different ones are equal", (trial) -> {
				trial.afterStart(
						"ALTER TABLE outbox_message MODIFY COLUMN partition_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci");
				trial.with(NEVER);
			}), new Mistake("`outbox.archive.enabled=true` without the table of the archive", (trial) -> {
				trial.afterStart("DROP TABLE outbox_archive");
				trial.with("outbox.archive.enabled=true", NEVER);
			}), new Mistake("`outbox.ordered=false` while another instance has `true`", (trial) -> {
				OutboxApplication other = trial.application().start();
				trial.atEnd(other::close);
				trial.with("outbox.ordered=false");
			}), Mistake.properties("outbox.jdbc.schema=classpath:nowhere.sql"),
			Mistake.properties("outbox.jdbc.platform=oracle"));

	private TableMistakes() {
	}

	private static void withoutRights(Trial trial) {
		String user = "clerk_" + UUID.randomUUID().toString().substring(0, 8);
		trial.afterStart("CREATE USER '%s' IDENTIFIED BY 'secret'".formatted(user),
				"GRANT INSERT, UPDATE, DELETE ON * TO '%s'".formatted(user));
		trial.atEnd("DROP USER '%s'".formatted(user));
		trial.with("spring.datasource.username=" + user, "spring.datasource.password=secret", NEVER);
	}

}
