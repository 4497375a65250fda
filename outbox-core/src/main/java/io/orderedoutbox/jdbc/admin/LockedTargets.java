/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The targets that a verb has locked, out of some that it has looked at.
 *
 * @param targets those that it has locked
 * @param passedOver how many it leaves alone because it could not lock them, or one
 * before them in their key
 */
record LockedTargets(List<VerbTarget> targets, long passedOver) {

	/**
	 * Take the targets that still are what they were and that are locked. Those that are
	 * not locked are passed over.
	 * @param looked the targets that the verb has looked at
	 * @param verified the ids of those that still are what they were
	 * @param isLocked whether a target is locked
	 */
	static LockedTargets of(List<VerbTarget> looked, Set<Long> verified, Predicate<VerbTarget> isLocked) {
		List<VerbTarget> taken = looked.stream()
			.filter((target) -> verified.contains(target.id()) && isLocked.test(target))
			.toList();
		return new LockedTargets(taken, verified.size() - taken.size());
	}

}
