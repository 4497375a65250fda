/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.List;

/**
 * What a claim has read of one key, in order and without a gap from its head on; or one
 * message that is bound to no order.
 *
 * @param partition the partition of the key
 * @param lane the lane of the key: below zero if the key is parked, otherwise that of the
 * partition
 * @param isWhole whether the claim has read all that is in the lane of a parked key
 * @param rows the rows, in order; not all of them need be sent
 */
record ClaimedSequence(OwnedPartition partition, long lane, boolean isWhole, List<ClaimedRow> rows) {

	boolean isParked() {
		return this.lane < 0;
	}

	/** How many rows there are before one whose time has not come. */
	int due() {
		return (int) this.rows.stream().takeWhile(ClaimedRow::isDue).count();
	}

	long head() {
		return this.rows.get(0).id();
	}

}
