package io.orderedoutbox.store;

import java.util.List;

/**
 * Takes messages into the outbox. Declare a bean of this type to replace the default,
 * {@link JdbcOutboxStore}.
 */
@FunctionalInterface
public interface OutboxStore {

	/**
	 * Append messages as part of the current transaction, immediately before it commits.
	 * In ordered mode the implementation must make sure that, within a partition key, the
	 * order of positions is the order of commits.
	 * @param messages the messages in the order of their publication, at least one
	 */
	void append(List<Message> messages);

}
