/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.sql.Connection;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.publish.OutboxTransactions;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Which of several outboxes this is: a bean in the context of each outbox that has a
 * name.
 *
 * @param name its name
 * @param routing the DataSource on which its transactions are, if that is not the one
 * that holds the outbox, but leads to it and to others
 * @param shard tells connections of the outbox from those of other shards
 * @param asWritten returns a text in which properties of {@code outbox.*}, and variables
 * of the environment, have the names under which the application has written them for
 * this outbox
 */
public record OutboxIdentity(String name, @Nullable DataSource routing, @Nullable Predicate<Connection> shard,
		UnaryOperator<String> asWritten) {

	/**
	 * Which transactions are those of the outbox, and how errors call it.
	 */
	OutboxTransactions transactions() {
		return new OutboxTransactions("the outbox '%s'".formatted(this.name), this.shard);
	}

	/**
	 * The database as transactions of the application reach it.
	 */
	OutboxDatabase written(OutboxDatabase database) {
		return (this.routing != null) ? database.inTransactionsOf(this.routing) : database;
	}

	/**
	 * What tells how the application has written its properties, also where there is only
	 * one outbox.
	 */
	public static UnaryOperator<String> asWritten(ObjectProvider<OutboxIdentity> identity) {
		OutboxIdentity known = identity.getIfAvailable();
		return (known != null) ? known.asWritten() : UnaryOperator.identity();
	}

}
