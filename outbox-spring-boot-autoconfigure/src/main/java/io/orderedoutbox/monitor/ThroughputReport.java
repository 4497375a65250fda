/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.util.function.LongSupplier;

import io.orderedoutbox.jdbc.JdbcThroughput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds what this instance has published to what all others have, with one statement, and
 * with none if there is nothing to add. For eyes only: what is lost with the database, or
 * counted twice, does no harm.
 */
final class ThroughputReport {

	private static final Logger logger = LoggerFactory.getLogger(WorkerHeartbeat.class);

	private final JdbcThroughput throughput;

	private final LongSupplier total;

	private volatile long added;

	private boolean grown;

	private boolean missing;

	/**
	 * Begin to report.
	 * @param throughput where to add
	 * @param total how much was published so far
	 */
	ThroughputReport(JdbcThroughput throughput, LongSupplier total) {
		this.throughput = throughput;
		this.total = total;
	}

	/**
	 * Add what was published since the last time.
	 */
	void add() {
		long now = this.total.getAsLong();
		if (now == this.added) {
			return;
		}
		boolean done = this.throughput.add(now - this.added);
		// Without the table the number is dropped, and not kept until the table is there
		this.added = now;
		this.grown = this.grown || done;
		if (!done && !this.missing) {
			logger.atWarn()
				.addKeyValue("table", this.throughput.table())
				.log("What this instance publishes cannot be added to table {}, which is missing. The relay works all "
						+ "the same. Create the table with the script of the outbox", this.throughput.table());
		}
		this.missing = !done;
	}

	/**
	 * Remove what is too old to be shown, if something was added since the last time.
	 */
	void clean() {
		if (this.grown) {
			this.grown = false;
			this.throughput.removeOld();
		}
	}

	/**
	 * How much was published, and is not yet added.
	 */
	long remaining() {
		return Math.max(0, this.total.getAsLong() - this.added);
	}

}
