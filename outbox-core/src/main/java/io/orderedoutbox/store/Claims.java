/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * One worker's way to the messages that are due.
 */
@FunctionalInterface
public interface Claims {

	/**
	 * What {@link #rest()} returns if the store knows of nothing to come.
	 */
	Duration UNTIL_TOLD = Duration.ofDays(1);

	/**
	 * Claim messages that are due. As long as the claim stands and is not suspended, no
	 * other worker anywhere gets a message of the same partition keys. A store may keep
	 * something from one claim for the next, such as a connection, until the worker
	 * {@link #rest rests} or {@link #end ends}.
	 * @return a claim, to be closed, or {@code null} if nothing is due that no other
	 * worker has claimed, as far as the store knows: it may look at the whole outbox only
	 * once in a poll interval
	 * @throws org.springframework.dao.DataAccessException if the store cannot be reached
	 */
	@Nullable Claim next();

	/**
	 * The worker does not claim again at once. The store gives back what it has kept for
	 * the next claim.
	 * @return when the worker should claim again at the latest, although the store has
	 * not been told of anything new
	 */
	default Duration rest() {
		return UNTIL_TOLD;
	}

	/**
	 * The worker ends, and claims nothing more.
	 */
	default void end() {
	}

}
