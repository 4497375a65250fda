/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.retention;

import java.util.ArrayList;
import java.util.List;

/**
 * The rows that one transaction of a purge removes: as many as a transaction can take,
 * but one at least. What is deleted is written to the log of the database, with its
 * payload.
 */
final class PurgedRows {

	/** The most rows of one transaction. */
	static final int MOST = 500;

	private static final long MAX_BYTES = 4 << 20;

	private final List<Long> ids = new ArrayList<>();

	private long bytes;

	/**
	 * Add a row, if there is room for it.
	 * @param size the size of its payload in bytes
	 * @return whether there was room
	 */
	boolean add(long id, long size) {
		this.bytes += size;
		boolean fits = this.ids.isEmpty() || this.bytes <= MAX_BYTES;
		if (fits) {
			this.ids.add(id);
		}
		return fits;
	}

	/**
	 * The ids of the rows, in the order in which they were added.
	 */
	List<Long> ids() {
		return this.ids;
	}

}
