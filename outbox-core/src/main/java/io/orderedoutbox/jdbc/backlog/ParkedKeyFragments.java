/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.backlog;

import java.util.List;
import java.util.stream.IntStream;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

/**
 * What the statements about messages that are stuck have in common, with the aliases
 * {@code k} for the parked keys and {@code m} for the messages.
 * <p>
 * A message is stuck if it is the first in the lane of a parked key, and either has
 * failed or waits in a lane that is not due. The second is rare: one behind it has failed
 * before it was answered itself, or the one that had failed was deleted by hand. A lane
 * that is due and whose first message has not failed is being emptied. A key that waits
 * for the time of its first message is not stuck, and is not even looked at where all
 * parked keys are: there may be many of them.
 */
public final class ParkedKeyFragments {

	/** Since when a message is stuck. */
	public static final String SINCE = "COALESCE(m.failed_at, m.available_at)";

	private final OutboxDatabase database;

	private final SqlFragments sql;

	private final boolean ordered;

	/**
	 * Create the fragments.
	 * @param database the database of the outbox
	 * @param ordered whether keys are ordered; without order no key is parked
	 */
	public ParkedKeyFragments(OutboxDatabase database, boolean ordered) {
		this.database = database;
		this.sql = database.dialect().sql();
		this.ordered = ordered;
	}

	/** Whether a message is stuck. */
	public String stuck() {
		return "(NOT k.is_delayed AND (m.failed_at IS NOT NULL OR k.available_at > %s))".formatted(this.sql.now());
	}

	/** Whether a key waits for an operator. */
	public String blocked() {
		return "(k.available_at >= %s)".formatted(this.sql.never());
	}

	/**
	 * Whether all that is selected is of one key whose order is kept: such a key is
	 * parked once at most.
	 */
	public boolean isOfOneKey(MessageSelection selection) {
		return this.ordered && selection.by() == By.PARTITION_KEY && !selection.value().isEmpty();
	}

	/**
	 * The first messages in the lanes of all parked keys, or of those alone that can be
	 * selected.
	 */
	public String heads(MessageSelection selection) {
		String parkedKeys = isOfOneKey(selection) ? ofKey(selection.value())
				: "%sparked k %s".formatted(this.database.tablePrefix(), byDelay());
		return parkedKeys + " " + joinHead();
	}

	/**
	 * Makes a statement that looks for keys by {@code is_delayed = FALSE} find them by
	 * their lanes.
	 */
	public String byDelay() {
		return this.sql.by(this.database.tablePrefix() + "parked_delayed");
	}

	/**
	 * The first of the parked keys that are not delayed, which are those that have been
	 * parked for longest; a limit is bound.
	 * @param columns what is read of each
	 */
	public String first(String columns) {
		return "(SELECT %s FROM %sparked %s WHERE is_delayed = FALSE AND lane < 0 ORDER BY lane DESC LIMIT ?)"
			.formatted(columns, this.database.tablePrefix(), byDelay());
	}

	/**
	 * The parked keys that have the hash of a key. In any partition: before order was
	 * switched on a message of the key went to any.
	 */
	public String ofKey(String partitionKey) {
		List<Integer> partitions = IntStream.range(0, this.database.partitions().count()).boxed().toList();
		String parked = this.database.tablePrefix() + "parked";
		return this.sql.joined(this.sql.idsOf("'" + partitions + "'"), parked + " k", this.sql.by(parked + "_key"),
				this.sql.is("k.partition_id", "w.id") + " AND "
						+ this.sql.is("k.key_hash", String.valueOf(Partitions.hash(partitionKey))));
	}

	/**
	 * The position of the first message in a lane. Sorted by both columns, or MySQL reads
	 * all of the lane and sorts it.
	 */
	public String head(String lane) {
		return "(SELECT e.id FROM %smessage e %s WHERE %s ORDER BY e.lane, e.id LIMIT 1)"
			.formatted(this.database.tablePrefix(), this.sql.byId(), this.sql.is("e.lane", lane));
	}

	/**
	 * Joins the first message in the lane of each parked key.
	 */
	public String joinHead() {
		return this.sql.joinFirst(this.database.tablePrefix() + "message", "k.lane", head("k.lane"));
	}

}
