/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Whether a server, or a proxy in its name, has refused to prepare a statement while
 * connection and transaction go on. Everything else that a driver can report may mean
 * that the transaction is over.
 */
final class PrepareRefusal {

	// Clients have codes from 2,000 to 2,999, proxies from 9,000 up: what they report is
	// that a server could not be asked
	private static final Set<Integer> THOUSANDS_OF_SERVERS = Set.of(1, 3, 4, 5, 6);

	private static final int INTERRUPTED = 1317;

	// The request, not the statement: the server has no such thing. The driver takes it
	// for a lost connection
	private static final int UNKNOWN_COMMAND = 1047;

	private static final String CONNECTION_LOST = "08";

	private static final String ROLLED_BACK = "40";

	private PrepareRefusal() {
	}

	static boolean is(SQLException failure) {
		int code = failure.getErrorCode();
		return code == UNKNOWN_COMMAND || (isOfServer(code) && goesOn(failure.getSQLState()));
	}

	private static boolean isOfServer(int code) {
		return THOUSANDS_OF_SERVERS.contains(code / 1000) && code != INTERRUPTED;
	}

	private static boolean goesOn(@Nullable String sqlState) {
		String state = Objects.requireNonNullElse(sqlState, "");
		return !state.startsWith(CONNECTION_LOST) && !state.startsWith(ROLLED_BACK);
	}

}
