/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;

import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.store.BacklogReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a sample of what waits in the outbox, for metrics, health and the summary on the
 * terminal, which do not ask the database.
 * <p>
 * Guaranteed: what {@link #current()} returns was true within the last two intervals and
 * a few seconds. When the database does not answer there is no sample, rather than an old
 * one.
 */
public final class BacklogSampler extends BackgroundTask {

	private static final Logger logger = LoggerFactory.getLogger(BacklogSampler.class);

	private static final Duration TIME_TO_READ = Duration.ofSeconds(5);

	private final BacklogReader reader;

	private final Duration interval;

	private volatile @Nullable Sample latest;

	private volatile @Nullable String schemaVersion;

	private volatile boolean versionIsRead;

	private final FailureLog failures = new FailureLog(logger, null,
			"The backlog of the outbox cannot be seen, and is unknown until it can",
			"The backlog of the outbox can be seen again");

	/**
	 * Create a sampler.
	 * @param reader looks at the outbox
	 * @param interval how often, zero for never
	 */
	public BacklogSampler(BacklogReader reader, Duration interval) {
		super("outbox-monitor-sample", Duration.ZERO, interval);
		this.reader = reader;
		this.interval = interval;
	}

	/**
	 * Return what waited when the last sample was taken.
	 * @return the sample, or {@code null} if there is none that is young enough
	 */
	public @Nullable Backlog current() {
		Sample sample = young();
		return (sample != null) ? sample.backlog() : null;
	}

	private @Nullable Sample young() {
		Sample sample = this.latest;
		Duration limit = this.interval.multipliedBy(2).plus(TIME_TO_READ);
		return (sample != null && sample.age().compareTo(limit) <= 0) ? sample : null;
	}

	/**
	 * Return how long ago the sample was taken.
	 * @return its age, or {@code null} if there is none that is young enough
	 */
	public @Nullable Duration age() {
		Sample sample = young();
		return (sample != null) ? sample.age() : null;
	}

	/**
	 * Take a sample now, on this thread.
	 */
	public void sample() {
		long now = System.nanoTime();
		try {
			this.latest = new Sample(this.reader.read(), now);
			readVersion();
			this.failures.succeeded();
		}
		catch (RuntimeException ex) {
			this.latest = null;
			logger.debug("The backlog could not be read", ex);
			tell(this.failures, ex.toString());
		}
	}

	@Override
	void run() {
		sample();
	}

	@Override
	void farewell() {
		this.latest = null;
	}

	private void readVersion() {
		if (!this.versionIsRead) {
			this.schemaVersion = this.reader.schemaVersion();
			this.versionIsRead = true;
		}
	}

	/**
	 * Return which version of the schema the tables have.
	 * @return the version, or {@code null} if it is not known yet, or if the tables do
	 * not tell
	 */
	public @Nullable String schemaVersion() {
		return this.schemaVersion;
	}

	private record Sample(Backlog backlog, long takenAt) {

		Duration age() {
			return Duration.ofNanos(System.nanoTime() - this.takenAt);
		}

	}

}
