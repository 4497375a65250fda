/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/**
 * How to speak to a server.
 *
 * @param sql what fills the gaps in the statements
 * @param questions what it is asked when the application starts
 * @param session what the sessions of the library are set to
 * @param timeLimit what keeps a session from giving up statements, or {@code null} where
 * each statement says itself how long it may take
 */
record ServerLanguage(SqlFragments sql, ServerQuestions questions, SessionSettings session,
		@Nullable SessionSettings timeLimit) {

}
