/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Says once that something fails, and once that it works again, however often it was
 * tried meanwhile.
 */
final class FailureLog {

	private final Logger logger;

	private final @Nullable String table;

	private final String fails;

	private final String works;

	private boolean failing;

	/**
	 * Create a log.
	 * @param logger of the task that fails
	 * @param table what the failure is about, {@code null} for the outbox as a whole
	 * @param fails what cannot be done; the error follows it
	 * @param works what can be done again
	 */
	FailureLog(Logger logger, @Nullable String table, String fails, String works) {
		this.logger = logger;
		this.table = table;
		this.fails = fails;
		this.works = works;
	}

	synchronized void succeeded() {
		if (this.failing) {
			withTable(this.logger.atInfo()).addKeyValue("state", "works").log(this.works);
			this.failing = false;
		}
	}

	synchronized void failed(String error) {
		if (!this.failing) {
			withTable(this.logger.atWarn()).addKeyValue("state", "fails")
				.addKeyValue("error", error)
				.log("{}: {}", this.fails, error);
			this.failing = true;
		}
	}

	private LoggingEventBuilder withTable(LoggingEventBuilder line) {
		return (this.table != null) ? line.addKeyValue("table", this.table) : line;
	}

}
