/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.retention;

import io.orderedoutbox.jdbc.OutboxDatabase;

/**
 * The statements that empty the archive, for tests of their plans.
 *
 * @param lock finds and locks what is old
 * @param delete removes it
 */
public record ArchivePurge(String lock, String delete) {

	public static ArchivePurge of(OutboxDatabase database) {
		JdbcArchive.Statements statements = JdbcArchive.Statements.of(database.dialect().sql(),
				database.tablePrefix() + "archive");
		return new ArchivePurge(statements.lock(), statements.delete());
	}

}
