/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.util.function.Supplier;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Statements that may fail while their transaction goes on: one that waits for a lock, or
 * reads a table that may be missing. Where an error would end the transaction, they have
 * a savepoint of their own.
 */
public final class UndoneStatement {

	private final JdbcTemplate jdbc;

	private final boolean needsSavepoint;

	/**
	 * Create it.
	 * @param jdbc a template on the connection of the transaction
	 * @param dialect what the database speaks
	 */
	public UndoneStatement(JdbcTemplate jdbc, Dialect dialect) {
		this.jdbc = jdbc;
		this.needsSavepoint = !dialect.undoesStatementsAlone();
	}

	/**
	 * Execute the statement.
	 * @return what it returns
	 */
	public <T> T tryTo(Supplier<T> statement) {
		if (!this.needsSavepoint) {
			return statement.get();
		}
		this.jdbc.execute("SAVEPOINT outbox_statement");
		try {
			return statement.get();
		}
		catch (DataAccessException ex) {
			rollBack(ex);
			throw RaisedError.translated(ex);
		}
	}

	// Where the connection is lost, there is nothing to roll back
	private void rollBack(DataAccessException failure) {
		try {
			this.jdbc.execute("ROLLBACK TO SAVEPOINT outbox_statement");
		}
		catch (DataAccessException ex) {
			failure.addSuppressed(ex);
		}
	}

}
