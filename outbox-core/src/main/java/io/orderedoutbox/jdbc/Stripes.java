/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;

import io.orderedoutbox.OutboxConfigurationException;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Locks the rows of {@code outbox_stripe}. A transaction that has the stripe of a
 * partition holds it until it ends. So no other transaction takes a position in that
 * partition in between, and positions there are in the order of commits.
 */
public final class Stripes {

	private final JdbcTemplate jdbc;

	private final OutboxDatabase database;

	private final WriteStatements statements;

	/**
	 * Create what locks stripes.
	 * @param jdbc a template on the connection of the transaction
	 * @param database the database of the outbox
	 */
	public Stripes(JdbcTemplate jdbc, OutboxDatabase database) {
		this.jdbc = jdbc;
		this.database = database;
		this.statements = database.writing();
	}

	/**
	 * Lock the stripes of partitions and wait for each of them. Every transaction locks
	 * them with one statement in ascending order, so that two cannot wait for one
	 * another.
	 * @param partitions the partitions
	 */
	public void lock(Collection<Integer> partitions) {
		List<Integer> ascending = List.copyOf(new TreeSet<>(partitions));
		List<Integer> locked = this.jdbc.queryForList(this.statements.lockStripes, Integer.class, ascending.toString());
		if (locked.size() != ascending.size()) {
			throw lost(ascending, locked);
		}
	}

	/**
	 * Lock the stripe of any partition, if possible one that no other transaction holds.
	 * @return the partition
	 */
	public int lockAny() {
		int from = random();
		for (int first : new int[] { from, 0 }) {
			List<Integer> locked = this.jdbc.queryForList(this.statements.lockFreeStripe, Integer.class, first);
			if (!locked.isEmpty() && locked.get(0) < this.database.partitions().count()) {
				return locked.get(0);
			}
		}
		lock(List.of(from));
		return from;
	}

	/**
	 * Return any partition.
	 */
	int random() {
		return ThreadLocalRandom.current().nextInt(this.database.partitions().count());
	}

	OutboxConfigurationException lost(List<Integer> stripes, List<Integer> locked) {
		return new OutboxConfigurationException(
				"Table '%sstripe' has lost rows: of the ids %s it has only %s.".formatted(this.database.tablePrefix(),
						stripes, locked),
				"Fill it with the ids 0 to %d. Without them no order can be kept."
					.formatted(this.database.partitions().count() - 1));
	}

}
