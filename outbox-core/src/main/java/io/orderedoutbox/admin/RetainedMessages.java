/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A table of messages that are kept for a time, by the clock of the database.
 */
public interface RetainedMessages {

	/**
	 * Return the name of the table.
	 * @return the name
	 */
	String table();

	/**
	 * Remove what is older, a little at a time, each in a short transaction of its own.
	 * What another instance is about to remove is left to it, and not waited for.
	 * @param retention for how long messages are kept
	 * @param goOn asked after each transaction whether there may be another one
	 * @return how many were removed
	 */
	long purge(Duration retention, BooleanSupplier goOn);

}
