/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows whether the commit of the transaction of the calling thread has begun. A
 * {@link TransactionSynchronization} that is registered after that is never told of it,
 * and what a failed commit has left is then not certain, whatever status Spring gives:
 * after JPA has lost the answer to a commit, it says that it was rolled back.
 */
public interface CommitPhase {

	/**
	 * Return whether the commit has begun, its callbacks included.
	 * @return {@code true} for the rest of the transaction
	 */
	boolean hasBegun();

	/**
	 * Ask all that know it for the transaction of the calling thread.
	 * @return whether the commit has begun; {@code false} without a transaction
	 */
	static boolean hasBegunHere() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.getSynchronizations()
					.stream()
					.anyMatch((one) -> one instanceof CommitPhase phase && phase.hasBegun());
	}

}
