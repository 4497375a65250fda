/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import io.orderedoutbox.servers.SentStatements;

/**
 * What the driver sends to the database, statement by statement, on the threads that ask
 * for it. Switched on by the option {@code queryInterceptors} of a JDBC URL of MySQL's
 * driver, and elsewhere by a {@link WatchedDataSource}.
 */
public final class SqlLog extends SentStatements {

	private static final ThreadLocal<List<String>> STATEMENTS = new ThreadLocal<>();

	/**
	 * Do some work, and return the statements that this thread has sent meanwhile, in
	 * lower case.
	 */
	public static List<String> of(Runnable work) {
		List<String> statements = new ArrayList<>();
		STATEMENTS.set(statements);
		try {
			work.run();
		}
		finally {
			STATEMENTS.remove();
		}
		return statements;
	}

	@Override
	protected void sent(Supplier<String> sql) {
		if (STATEMENTS.get() != null) {
			add(sql.get());
		}
	}

	static void add(String sql) {
		List<String> statements = STATEMENTS.get();
		if (statements != null) {
			statements.add(sql.strip().toLowerCase(Locale.ROOT));
		}
	}

}
