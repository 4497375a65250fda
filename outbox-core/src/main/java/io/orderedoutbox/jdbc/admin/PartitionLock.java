/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.dialect.UndoneStatement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Locks partitions for one call of a verb.
 * <ol>
 * <li>Lock the few partitions that a transaction needs with one statement, in ascending
 * order, and wait for each of them a few seconds at most.</li>
 * <li>If that has failed, because another transaction keeps one of them, lock those that
 * are free.</li>
 * <li>Do not wait a second time in the same call for a partition that could not be
 * locked.</li>
 * </ol>
 * Nothing can wait in a circle: operators lock partitions in ascending order, and relays
 * never wait for a partition.
 */
final class PartitionLock {

	private static final Logger logger = LoggerFactory.getLogger(PartitionLock.class);

	private final OutboxDatabase database;

	private final AdministrationStatements statements;

	private final Set<Integer> kept = new HashSet<>();

	PartitionLock(OutboxDatabase database, AdministrationStatements statements) {
		this.database = database;
		this.statements = statements;
	}

	/**
	 * Lock partitions until the transaction ends.
	 * @return those that are locked
	 */
	Set<Integer> lock(JdbcTemplate jdbc, Set<Integer> partitions) {
		Set<Integer> patient = new TreeSet<>(partitions);
		patient.removeAll(this.kept);
		if (lockAndWait(jdbc, patient) && patient.size() == partitions.size()) {
			return patient;
		}
		Set<Integer> locked = locked(jdbc, this.statements.lockFreePartitions, new TreeSet<>(partitions));
		partitions.stream().filter((partition) -> !locked.contains(partition)).forEach(this.kept::add);
		return locked;
	}

	private boolean lockAndWait(JdbcTemplate jdbc, Set<Integer> partitions) {
		if (partitions.isEmpty()) {
			return true;
		}
		try {
			String lockAndWait = this.database.statements().lockPartitions;
			return new UndoneStatement(jdbc, this.database.dialect()).tryTo(() -> locked(jdbc, lockAndWait, partitions))
				.size() == partitions.size();
		}
		catch (PessimisticLockingFailureException ex) {
			logger.debug("Some of partitions {} could not be locked in time", partitions, ex);
			return false;
		}
	}

	private static Set<Integer> locked(JdbcTemplate jdbc, String statement, Set<Integer> partitions) {
		List<Integer> locked = jdbc.queryForList(statement, Integer.class, partitions.toString());
		return new HashSet<>(locked);
	}

}
