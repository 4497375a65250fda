/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Looks at a server again and again, on a thread of its own, and keeps what it has seen.
 * One thread looks while others ask.
 * <p>
 * Guaranteed: what was seen is returned as long as the look began within the last two
 * intervals and the time that a look may take, and not after a look that has failed. A
 * failure is told of once, until a look works again.
 *
 * @param <T> what is seen
 */
public abstract class Sampler<T> implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(Sampler.class);

	private final String name;

	private final Duration interval;

	private final Duration limit;

	private final BackgroundWork work;

	private volatile @Nullable Sample<T> latest;

	private boolean failing;

	/**
	 * Create a sampler.
	 * @param name the name of its thread
	 * @param interval the pause between two looks, zero for no look at all
	 * @param timeToLook how long a look may take
	 */
	protected Sampler(String name, Duration interval, Duration timeToLook) {
		this.name = name;
		this.interval = interval;
		this.limit = interval.multipliedBy(2).plus(timeToLook);
		this.work = new BackgroundWork(name, interval);
	}

	/**
	 * Look.
	 * @return what is seen, {@code null} if there is nothing to look at
	 */
	protected abstract @Nullable T look();

	/**
	 * Return whether there is anything to look at.
	 * @return {@code false} if the sampler need not begin
	 */
	protected abstract boolean isNeeded();

	/**
	 * Tell that a look has worked after one that has failed.
	 */
	protected abstract void tellThatItWorks();

	/**
	 * Tell that a look has failed after one that has worked.
	 * @param error why
	 */
	protected abstract void tellThatItFails(String error);

	/**
	 * Clean up after a look that has failed.
	 */
	protected void failed() {
	}

	/**
	 * Clean up at the end.
	 */
	protected void ended() {
	}

	/**
	 * Return what was seen last.
	 * @return what was seen, or {@code null} if nothing is young enough
	 */
	protected final @Nullable T latest() {
		Sample<T> sample = young();
		return (sample != null) ? sample.seen() : null;
	}

	/**
	 * Return how long ago that was.
	 * @return the age of the sample, or {@code null} if there is none that is young
	 * enough
	 */
	public final @Nullable Duration age() {
		Sample<T> sample = young();
		return (sample != null) ? sample.age() : null;
	}

	private @Nullable Sample<T> young() {
		Sample<T> sample = this.latest;
		return (sample != null && sample.age().compareTo(this.limit) <= 0) ? sample : null;
	}

	private void sample() {
		long now = System.nanoTime();
		try {
			T seen = look();
			if (seen != null) {
				this.latest = new Sample<>(seen, now);
				worked();
			}
		}
		catch (RuntimeException | Error ex) {
			this.latest = null;
			failed();
			tell(ex);
		}
	}

	private void worked() {
		if (this.failing) {
			this.failing = false;
			tellThatItWorks();
		}
	}

	private void tell(Throwable ex) {
		logger.debug("{} has failed", this.name, ex);
		if (isRunning() && !this.failing) {
			this.failing = true;
			tellThatItFails(ex.toString());
		}
	}

	private void end() {
		this.latest = null;
		ended();
	}

	// Spring also starts what does not start by itself, if the context is started again
	@Override
	public final void start() {
		if (isAutoStartup()) {
			this.work.start(this::sample);
		}
	}

	@Override
	public final void stop() {
		this.work.stop(this::end);
	}

	@Override
	public final boolean isRunning() {
		return this.work.isRunning();
	}

	@Override
	public final boolean isAutoStartup() {
		return !this.interval.isZero() && isNeeded();
	}

	private record Sample<T>(T seen, long takenAt) {

		Duration age() {
			return Duration.ofNanos(System.nanoTime() - this.takenAt);
		}

	}

}
