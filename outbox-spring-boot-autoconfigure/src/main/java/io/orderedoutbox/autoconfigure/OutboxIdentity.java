package io.orderedoutbox.autoconfigure;

import java.sql.Connection;
import java.util.function.Predicate;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.publish.OutboxTransactions;
import org.jspecify.annotations.Nullable;

/**
 * Which of several outboxes this is: a bean in the context of each outbox that has a
 * name.
 *
 * @param name its name
 * @param routing the DataSource on which its transactions are, if that is not the one
 * that holds the outbox, but leads to it and to others
 * @param shard tells connections of the outbox from those of other shards
 */
record OutboxIdentity(String name, @Nullable DataSource routing, @Nullable Predicate<Connection> shard) {

	/**
	 * How errors call the outbox.
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

}
