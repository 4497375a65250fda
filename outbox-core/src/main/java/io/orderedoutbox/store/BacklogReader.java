/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import org.jspecify.annotations.Nullable;

/**
 * Looks at what waits in the outbox. Declare a bean of this type to replace the default,
 * which reads the tables.
 */
@FunctionalInterface
public interface BacklogReader {

	/**
	 * Look at it now. The cost does not grow with the outbox.
	 * @return what waits
	 * @throws org.springframework.dao.DataAccessException if the store cannot be reached
	 */
	Backlog read();

	/**
	 * Ask which version of the schema the store has.
	 * @return the version, or {@code null} if the store does not tell
	 * @throws org.springframework.dao.DataAccessException if the store cannot be reached
	 */
	default @Nullable String schemaVersion() {
		return null;
	}

}
