/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * What a session of PostgreSQL has read.
 */
public final class PostgreSqlStatistics {

	private PostgreSqlStatistics() {
	}

	/**
	 * Let a session tell the server of what it has read. It does so once a second, unless
	 * it is asked to. Skips the test on a server that does not know the question.
	 */
	public static void flush(JdbcClient session) {
		assumeThat(
				session.sql("SELECT to_regproc('pg_stat_force_next_flush') IS NOT NULL").query(Boolean.class).single())
			.as("the server has pg_stat_force_next_flush()")
			.isTrue();
		session.sql("SELECT pg_stat_force_next_flush()").query().listOfRows();
	}

}
