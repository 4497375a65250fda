/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.sql.Connection;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Which of the transactions on a {@link javax.sql.DataSource} are those of an outbox.
 *
 * @param outbox how errors call the outbox, such as {@code the outbox 'billing'}
 * @param shard tells the connections of the outbox's shard from those of others under the
 * same {@code DataSource}, and must not throw; {@code null} if all connections lead to
 * the outbox
 */
public record OutboxTransactions(String outbox, @Nullable Predicate<Connection> shard) {

	/**
	 * All of them, of the only outbox of an application.
	 */
	public static final OutboxTransactions ALL = new OutboxTransactions("the outbox", null);

	// Only then a connection is asked for: a proxy may not have one yet
	boolean areOfShard() {
		return this.shard != null;
	}

	boolean contain(Connection connection) {
		return this.shard == null || this.shard.test(connection);
	}

}
