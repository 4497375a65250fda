/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;

import io.orderedoutbox.relay.OutboxRelay;

import org.springframework.context.SmartLifecycle;

/**
 * Something that is done again and again while the application runs, on a thread of its
 * own, unless its interval is zero.
 */
abstract class BackgroundTask implements SmartLifecycle {

	private final PeriodicTask task;

	/**
	 * Create a task.
	 * @param name of its thread
	 * @param first the pause before the first time
	 * @param interval the pause before each further time, zero for never
	 */
	BackgroundTask(String name, Duration first, Duration interval) {
		this.task = new PeriodicTask(name, first, interval, this::run, this::farewell);
	}

	/**
	 * What is done each time. That it throws is an error, but not the end.
	 */
	abstract void run();

	/**
	 * What is done when the task ends. Must not throw.
	 */
	void farewell() {
	}

	/**
	 * Tell of a failure, unless the task is being stopped: then it was interrupted.
	 */
	final void tell(FailureLog failures, String error) {
		if (isRunning()) {
			failures.failed(error);
		}
	}

	@Override
	public void start() {
		this.task.start();
	}

	@Override
	public void stop() {
		this.task.stop();
	}

	@Override
	public boolean isRunning() {
		return this.task.isRunning();
	}

	@Override
	public boolean isAutoStartup() {
		return this.task.isWanted();
	}

	@Override
	public int getPhase() {
		return OutboxRelay.DEFAULT_PHASE;
	}

}
