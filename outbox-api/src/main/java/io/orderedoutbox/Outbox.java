/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.util.UUID;

/**
 * Stores events in the current transaction, from where they are relayed to RabbitMQ once
 * the transaction has committed.
 * <p>
 * Guaranteed: the message exists if and only if the transaction commits; it is delivered
 * at least once; its id and its body never change after this call; in ordered mode, first
 * deliveries of one partition key are in commit order. Not guaranteed: exactly-once
 * delivery (a crash can repeat a message, with the same id), and any order between keys.
 * <p>
 * While an {@link OutboxSuppression} is active nothing is stored, an event needs neither
 * a transaction nor a partition key, and the id that is returned belongs to no message.
 */
public interface Outbox {

	/**
	 * Publish an event as part of the current transaction. Nothing is written before the
	 * transaction commits. The event becomes a message whatever its annotations and the
	 * {@code PublicationPolicy} say: they select among application events only.
	 * @param event the event; must not be null. It is serialised during this call: later
	 * changes to it have no effect
	 * @param stamps what the annotations of the event do not say, one of each kind except
	 * for headers
	 * @return the id of the message, which every delivery carries
	 * @throws MissingPartitionKeyException in ordered mode, if the event has no partition
	 * key and no stamp says that it needs none
	 * @throws OutboxPublicationException if the event cannot be published: no transaction
	 * that writes to the outbox's database is open, its name or key or destination is not
	 * valid, or it cannot be serialised. Nothing was stored, and the transaction is not
	 * marked for rollback
	 */
	UUID publish(Object event, Stamp... stamps);

}
