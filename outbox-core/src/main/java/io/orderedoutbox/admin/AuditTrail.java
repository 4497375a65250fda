/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.List;

/**
 * Keeps what operators have done. Declare a bean of this type to keep it elsewhere than
 * in the table of the outbox.
 * <p>
 * Guaranteed: each call of a verb that was not a dry run is recorded once, also one that
 * has failed, and so is each pause and each end of one. Not guaranteed: that an entry is
 * there if the process ends in the middle of a verb, or if the database is lost: what was
 * done by then stays done.
 */
public interface AuditTrail {

	/**
	 * A trail that keeps nothing.
	 */
	AuditTrail NONE = new AuditTrail() {

		@Override
		public void record(OperatorAction action) {
		}

		@Override
		public List<AuditEntry> list(TimeRange range, long before, int size) {
			return List.of();
		}

	};

	/**
	 * Record an action, apart from the transaction that the caller may be in.
	 * @param action what was done
	 */
	void record(OperatorAction action);

	/**
	 * List actions, the last one first.
	 * @param range when
	 * @param before only entries with a lower id, {@link Long#MAX_VALUE} for the last
	 * ones
	 * @param size how many at most
	 * @return the entries
	 */
	List<AuditEntry> list(TimeRange range, long before, int size);

}
