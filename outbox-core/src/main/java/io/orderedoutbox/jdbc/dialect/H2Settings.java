/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

/**
 * {@link SessionSettings} of H2. What the session had is kept in variables of the
 * library's own.
 */
final class H2Settings {

	private static final String KEEP_TIMEOUT = """
			SET @outbox_query_timeout = (SELECT CAST(MAX(setting_value) AS INTEGER) FROM information_schema.settings
			WHERE setting_name = 'QUERY_TIMEOUT');\s""";

	private static final String RESTORE_TIMEOUT = "SET QUERY_TIMEOUT @outbox_query_timeout; SET @outbox_query_timeout = NULL";

	private static final String ISOLATION = "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL ";

	private H2Settings() {
	}

	/**
	 * All settings of a session. A session of H2 ends with its process, so that nothing
	 * limits how long it may say nothing.
	 */
	static SessionSettings ofSession() {
		return new SessionSettings(KEEP_TIMEOUT + """
				SET @outbox_lock_timeout = LOCK_TIMEOUT();
				SET @outbox_isolation = (SELECT isolation_level FROM information_schema.sessions
				WHERE session_id = SESSION_ID());
				SET QUERY_TIMEOUT 0; SET LOCK_TIMEOUT 3000; %s READ COMMITTED""".formatted(ISOLATION), """
				EXECUTE IMMEDIATE '%s' || @outbox_isolation; SET @outbox_isolation = NULL;
				SET LOCK_TIMEOUT @outbox_lock_timeout; SET @outbox_lock_timeout = NULL;\s""".formatted(ISOLATION)
				+ RESTORE_TIMEOUT, false);
	}

	/**
	 * No setting but the time after which H2 gives up a statement.
	 */
	static SessionSettings ofTimeLimit() {
		return new SessionSettings(KEEP_TIMEOUT + "SET QUERY_TIMEOUT ? * 1000", RESTORE_TIMEOUT, false);
	}

}
