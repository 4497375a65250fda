/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.util.List;
import java.util.Set;

/**
 * Takes messages into the outbox. Declare a bean of this type to replace the default,
 * {@link io.orderedoutbox.jdbc.JdbcOutboxStore}.
 */
@FunctionalInterface
public interface OutboxStore {

	/**
	 * Append messages as part of the current transaction, immediately before it commits.
	 * In ordered mode the implementation must make sure that, within a partition, the
	 * order of positions is the order of commits. No relay may get a message before its
	 * {@linkplain Message#delay() delay} is over.
	 * @param messages the messages in the order of their publication, at least one
	 * @return the partitions that the messages went to, or nothing if the store has no
	 * partitions: the relay of this instance is told of them after the commit
	 */
	Set<Integer> append(List<Message> messages);

	/**
	 * Hear that a transaction begins that may write. A store can mark this place of the
	 * transaction, for {@link #requireMark()}.
	 */
	default void mark() {
	}

	/**
	 * Make sure, before the first {@link #append} of a transaction, that it still is the
	 * one that was marked. The server may have ended it, and what is written now would
	 * belong to another one.
	 * @throws io.orderedoutbox.OutboxStoreException if the mark is gone: the transaction
	 * is to be rolled back
	 */
	default void requireMark() {
	}

}
