/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.monitor.PeriodicTask;
import io.orderedoutbox.monitor.console.OverviewDescriptor.RelayDescriptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at an outbox for the operators who watch the page: once a second for all of them
 * together, and not at all when no page has asked for ten seconds. A page that asks does
 * not wait for the database, which may be away.
 */
final class MonitorSampler {

	private static final Logger logger = LoggerFactory.getLogger(MonitorSampler.class);

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final Duration INTEREST = Duration.ofSeconds(10);

	private final OutboxConsole console;

	private final PublishedPerMinute published;

	private List<PeriodicTask> tasks = List.of();

	private volatile long lastAskedAt = System.nanoTime() - INTEREST.toNanos();

	private volatile long begunAt = System.nanoTime();

	private volatile @Nullable Answer latest;

	private volatile @Nullable List<Long> publishedByAll;

	/**
	 * Create a sampler.
	 * @param console is asked
	 */
	MonitorSampler(OutboxConsole console) {
		this.console = console;
		this.published = new PublishedPerMinute(() -> console.relay().published(), System::nanoTime);
	}

	/**
	 * What the sampler saw last, and since when it has been looking again in vain.
	 */
	Sample current() {
		this.lastAskedAt = System.nanoTime();
		this.published.tick();
		List<Long> byAll = this.publishedByAll;
		return new Sample(System.currentTimeMillis(), this.console.database(), this.latest,
				Duration.ofNanos(System.nanoTime() - this.begunAt).toMillis(), this.console.relay(),
				(byAll != null) ? byAll : this.published.lastHour(), byAll != null);
	}

	private void look() {
		this.begunAt = System.nanoTime();
		if (System.nanoTime() - this.lastAskedAt < INTEREST.toNanos()) {
			this.latest = this.console.answer(this.console::overview);
			this.publishedByAll = publishedByAll();
		}
		else {
			// The next page that asks is not shown what was long ago
			this.latest = null;
			this.publishedByAll = null;
		}
	}

	// While the database is away no instance publishes anything
	private @Nullable List<Long> publishedByAll() {
		try {
			return this.console.publishedPerMinute();
		}
		catch (RuntimeException ex) {
			logger.debug("What all instances have published could not be found out", ex);
			return this.publishedByAll;
		}
	}

	synchronized void start() {
		if (this.tasks.isEmpty()) {
			// Two, because a database that does not answer keeps one of them
			this.tasks = List.of(task("outbox-monitor-clock", this.published::tick),
					task("outbox-monitor-look", this::look));
			this.tasks.forEach(PeriodicTask::start);
		}
	}

	private static PeriodicTask task(String name, Runnable work) {
		return new PeriodicTask(name, Duration.ZERO, INTERVAL, work, () -> {
		});
	}

	void stop() {
		List<PeriodicTask> stopped;
		synchronized (this) {
			stopped = this.tasks;
			this.tasks = List.of();
		}
		stopped.forEach(PeriodicTask::stop);
	}

	synchronized boolean isRunning() {
		return !this.tasks.isEmpty();
	}

	/**
	 * What the page is told every second.
	 *
	 * @param now what time it is here, in milliseconds from the epoch: the clock of a
	 * browser may say something else
	 * @param database how errors call the database
	 * @param answer the overview or the problem with it, {@code null} if there is none
	 * yet
	 * @param sinceMillis for how long the sampler has been looking again
	 * @param relay the relay of this instance
	 * @param publishedPerMinute how much was published in each of the last sixty minutes,
	 * the current one last
	 * @param publishedByAll whether it was published by all instances, or by this one
	 * since it began
	 */
	record Sample(long now, String database, @Nullable Answer answer, long sinceMillis, RelayDescriptor relay,
			List<Long> publishedPerMinute, boolean publishedByAll) {

	}

}
