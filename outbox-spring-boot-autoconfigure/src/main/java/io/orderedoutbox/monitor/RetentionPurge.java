/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;

import io.orderedoutbox.admin.RetainedMessages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes now and then what has been in the archive, or a dead letter, for long enough,
 * on every instance that is told to: the instance that comes first does it, and others
 * that come at the same time help. The purge goes on when the database was away. Nothing
 * depends on it but the size of the table.
 */
public final class RetentionPurge extends BackgroundTask {

	private static final Logger logger = LoggerFactory.getLogger(RetentionPurge.class);

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private final RetainedMessages messages;

	private final Duration retention;

	private final FailureLog failures;

	/**
	 * Create a purge that begins at once, so that the process of a one-shot relay does
	 * its share, and looks again every minute.
	 * @param name of the task
	 * @param messages what is purged
	 * @param retention for how long messages are kept, zero for ever
	 */
	public RetentionPurge(String name, RetainedMessages messages, Duration retention) {
		this(name, messages, retention, INTERVAL);
	}

	RetentionPurge(String name, RetainedMessages messages, Duration retention, Duration interval) {
		super(name, Duration.ZERO, retention.isZero() ? Duration.ZERO : interval);
		this.messages = messages;
		this.retention = retention;
		String table = messages.table();
		this.failures = new FailureLog(logger, table,
				"What is old cannot be removed from table " + table
						+ ", which grows until it can. The relay works all the same",
				"What is old is removed from table " + table + " again");
	}

	@Override
	void run() {
		try {
			long removed = this.messages.purge(this.retention, this::isRunning);
			logger.debug("{} message(s) were removed from table {}", removed, this.messages.table());
			this.failures.succeeded();
		}
		catch (RuntimeException ex) {
			logger.debug("What is old could not be removed", ex);
			tell(this.failures, ex.toString());
		}
	}

}
