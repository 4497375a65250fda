/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Purges the inbox now and then while the application runs. Nothing depends on it but the
 * size of the table.
 */
public final class InboxPurge implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(InboxPurge.class);

	private final InboxRetention retention;

	private final BackgroundWork work;

	private volatile @Nullable Instant failingSince;

	/**
	 * Create a purge.
	 * @param retention removes what is too old
	 * @param interval the pause between two purges
	 */
	public InboxPurge(InboxRetention retention, Duration interval) {
		this.retention = retention;
		this.work = new BackgroundWork("outbox-inbox-purge", interval);
	}

	@Override
	public void start() {
		this.work.start(this::purge);
	}

	private void purge() {
		try {
			long removed = this.retention.purge(this::isRunning);
			logger.debug("{} record(s) were removed from the inbox", removed);
			this.failingSince = null;
		}
		catch (RuntimeException | Error ex) {
			tell(ex);
		}
	}

	// Once, until it works again
	private void tell(Throwable ex) {
		if (isRunning() && this.failingSince == null) {
			this.failingSince = Instant.now();
			String error = ex.toString();
			logger.atWarn()
				.addKeyValue("error", error)
				.log("Old records cannot be removed from the inbox, whose table grows until they can: {}", error);
		}
	}

	/**
	 * Return since when each purge has failed.
	 * @return the time of the first one, by the clock of this instance, or {@code null}
	 * if the last one has worked
	 */
	public @Nullable Instant failingSince() {
		return this.failingSince;
	}

	@Override
	public void stop() {
		this.work.stop(() -> {
		});
	}

	@Override
	public boolean isRunning() {
		return this.work.isRunning();
	}

}
