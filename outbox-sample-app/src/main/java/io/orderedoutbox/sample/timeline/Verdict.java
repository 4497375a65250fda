/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

/**
 * What the consumer thinks of one delivery, at the moment at which it gets it.
 */
public enum Verdict {

	/**
	 * The next event of its order.
	 */
	IN_ORDER,

	/**
	 * A repetition of a message that was here before: allowed, delivery is at least once.
	 */
	DUPLICATE,

	/**
	 * An event before it is missing: a gap, or it has overtaken.
	 */
	EARLY,

	/**
	 * An event after it was here first: it was overtaken.
	 */
	LATE,

	/**
	 * Nobody committed it: its transaction was rolled back.
	 */
	UNCOMMITTED;

	/**
	 * Return whether a promise of the outbox was broken.
	 * @return {@code true} unless the delivery was in order or a duplicate
	 */
	public boolean isViolation() {
		return this != IN_ORDER && this != DUPLICATE;
	}

	/**
	 * Judge a delivery.
	 * @param version the position of the event in its order
	 * @param highest the highest version of this order that has arrived, 0 if none has
	 * @param seen whether this message has arrived before
	 * @param committed whether the event is in the ledger
	 * @return the verdict
	 */
	static Verdict of(long version, long highest, boolean seen, boolean committed) {
		if (seen) {
			return DUPLICATE;
		}
		if (!committed) {
			return UNCOMMITTED;
		}
		if (version == highest + 1) {
			return IN_ORDER;
		}
		return (version > highest) ? EARLY : LATE;
	}

}
