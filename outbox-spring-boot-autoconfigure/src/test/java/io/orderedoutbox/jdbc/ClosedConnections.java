/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.SQLException;

import com.zaxxer.hikari.SQLExceptionOverride;

/**
 * Tells a pool by which errors of H2 it knows a connection that is closed: they have no
 * state that says so.
 */
public final class ClosedConnections implements SQLExceptionOverride {

	private static final int CLOSED = 90007;

	private static final int BROKEN = 90067;

	private static final int DATABASE_CLOSED = 90121;

	@java.lang.Override
	public Override adjudicate(SQLException ex) {
		return switch (ex.getErrorCode()) {
			case CLOSED, BROKEN, DATABASE_CLOSED -> Override.MUST_EVICT;
			default -> Override.CONTINUE_EVICT;
		};
	}

}
