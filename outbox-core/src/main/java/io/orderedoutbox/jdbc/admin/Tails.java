/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.Stripes;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The tails of the partitions, to which a verb appends messages as an application does:
 * it locks the stripes of the partitions first.
 */
final class Tails {

	/** The partition of messages that go to any partition. */
	static final int ANY = -1;

	private final OutboxDatabase database;

	private final boolean ordered;

	Tails(OutboxDatabase database, boolean ordered) {
		this.database = database;
		this.ordered = ordered;
	}

	/**
	 * The partition of a message.
	 * @return the partition, {@link #ANY} if it is bound to no order
	 */
	int partition(String partitionKey) {
		return (this.ordered && !partitionKey.isEmpty()) ? this.database.partitions().of(partitionKey) : ANY;
	}

	/**
	 * Lock what is needed to append some targets.
	 */
	Places lock(JdbcTemplate jdbc, List<VerbTarget> targets) {
		Set<Integer> partitions = lockStripes(jdbc, targets);
		int any = partitions.iterator().next();
		Map<Long, Integer> lanes = new TreeMap<>();
		targets.forEach((target) -> lanes.put(target.id(), (target.partition() != ANY) ? target.partition() : any));
		return new Places(partitions,
				lanes.entrySet()
					.stream()
					.map((lane) -> SqlFragments.place(lane.getValue(), lane.getKey()))
					.toList()
					.toString());
	}

	private Set<Integer> lockStripes(JdbcTemplate jdbc, List<VerbTarget> targets) {
		Stripes stripes = new Stripes(jdbc, this.database);
		Set<Integer> partitions = new HashSet<>();
		targets.stream().map(VerbTarget::partition).filter((partition) -> partition != ANY).forEach(partitions::add);
		if (partitions.isEmpty()) {
			return Set.of(stripes.lockAny());
		}
		stripes.lock(partitions);
		return partitions;
	}

	/**
	 * Where targets go.
	 *
	 * @param partitions the partitions that are locked
	 * @param json the partition and the id of each, in the order of the ids
	 */
	record Places(Set<Integer> partitions, String json) {

	}

}
