/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import org.jspecify.annotations.Nullable;

/**
 * Keeps what operators have done to dead letters.
 */
@FunctionalInterface
public interface DeadLetterJournal {

	/**
	 * A verb was applied, or has failed in the middle. One that was refused has done
	 * nothing and is not recorded. What was done is done, whether it can be recorded or
	 * not: nothing may be thrown.
	 * @param verb REPLAY or DISCARD
	 * @param selection to which dead letters, in words
	 * @param result how many were processed, sent again or removed, and how many are
	 * left, if that is known; none of either where the error keeps it from being known
	 * @param error what went wrong, {@code null} if nothing did
	 */
	void record(String verb, String selection, ReplayResult result, @Nullable String error);

}
