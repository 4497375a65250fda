/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.List;
import java.util.Set;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What one call of a verb is about. Each method works on the connection of a transaction.
 */
interface VerbTargets {

	/**
	 * Look at the next targets, without locks. There are none only if there are no more.
	 * @param began the time at which the call began
	 * @param after the position behind which to look
	 * @param limit how many at most
	 */
	List<VerbTarget> next(JdbcTemplate jdbc, String began, long after, int limit);

	/**
	 * Divide targets into chunks, each for a transaction of its own.
	 */
	List<List<VerbTarget>> divide(List<VerbTarget> targets);

	/**
	 * Lock targets, and verify that they are still what they were.
	 */
	LockedTargets lock(JdbcTemplate jdbc, List<VerbTarget> targets, String began);

	/**
	 * Change targets that are locked.
	 * @return the partitions in which messages may have become due
	 */
	Set<Integer> change(JdbcTemplate jdbc, List<VerbTarget> targets);

}
