/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.transaction;

import java.util.function.Function;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/**
 * Does work in a transaction, as Spring's {@code TransactionTemplate} does, except for
 * what a lost connection makes of it: the caller gets a {@link DataAccessException}, or
 * what the transaction manager makes of it if the commit notices it first, and nothing is
 * logged as an error, because the caller does that.
 */
public final class WorkInTransaction {

	private WorkInTransaction() {
	}

	/**
	 * Begin a transaction, do the work, and commit, unless the work has marked the
	 * transaction for rollback.
	 * @return what the work returns
	 * @throws DataAccessException if the transaction cannot begin
	 * @throws org.springframework.transaction.TransactionException if it is not known
	 * whether the transaction was committed
	 */
	public static <T> T of(PlatformTransactionManager transactions, TransactionDefinition definition,
			Function<TransactionStatus, T> work) {
		TransactionStatus transaction = begin(transactions, definition);
		T result;
		try {
			result = work.apply(transaction);
		}
		catch (RuntimeException | Error ex) {
			rollBack(transactions, transaction, ex);
			throw ex;
		}
		transactions.commit(transaction);
		return result;
	}

	private static TransactionStatus begin(PlatformTransactionManager transactions, TransactionDefinition definition) {
		try {
			return transactions.getTransaction(definition);
		}
		catch (CannotCreateTransactionException ex) {
			throw new DataAccessResourceFailureException("No transaction can begin: " + ex.getMostSpecificCause(), ex);
		}
	}

	/**
	 * Roll back what has failed. What the rollback throws is suppressed: the failure is
	 * what the caller has to know.
	 * @param transactions manages the transaction
	 * @param transaction the transaction
	 * @param failure why it is rolled back, which keeps what the rollback throws
	 */
	public static void rollBack(PlatformTransactionManager transactions, TransactionStatus transaction,
			Throwable failure) {
		try {
			transactions.rollback(transaction);
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

}
