/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.time.Duration;

import io.orderedoutbox.servers.Servers;
import org.awaitility.Awaitility;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A transaction of the schema that waits for a row lock.
 */
public final class LockWait {

	private LockWait() {
	}

	/**
	 * Wait until a transaction waits. The server renews its list of transactions only if
	 * nobody has read it for a tenth of a second: a test that asks more often gets the
	 * first answer for ever.
	 */
	public static void await(JdbcClient jdbc) {
		await(jdbc, 1);
	}

	/**
	 * Wait until so many transactions wait.
	 */
	public static void await(JdbcClient jdbc, int transactions) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(150))
			.pollInSameThread()
			.until(() -> jdbc
				.sql(Servers.database()
					.choose("""
							SELECT COUNT(*) FROM information_schema.innodb_trx t
							JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
							WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()""", """
							SELECT COUNT(*) FROM pg_locks w WHERE NOT w.granted AND EXISTS (
							SELECT 1 FROM pg_locks h JOIN pg_class c ON c.oid = h.relation WHERE h.pid = w.pid
							AND c.relnamespace = to_regnamespace(current_schema()))""",
							"SELECT COUNT(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL"))
				.query(Integer.class)
				.single() >= transactions);
	}

}
