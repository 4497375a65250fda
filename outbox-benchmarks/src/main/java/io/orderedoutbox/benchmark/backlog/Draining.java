/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.backlog;

import java.util.List;

import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.scenario.Bench;

/**
 * A backlog that is there, and is drained by instances whose relays do not run yet.
 *
 * @param backlog what is drained
 * @param remaining how many messages are left at the end, because they cannot be sent
 * @param ordered whether the order of keys must be kept
 */
record Draining(Backlog backlog, long remaining, boolean ordered) {

	/**
	 * In ordered mode.
	 */
	Draining(Backlog backlog, long remaining) {
		this(backlog, remaining, true);
	}

	/**
	 * Fill an instance with messages to a queue of their own, and drain it.
	 * @param remaining how many messages are left at the end, because they cannot be sent
	 * @return messages a second
	 */
	static double ofFreshQueue(Bench bench, Instance instance, int messages, int keys, long remaining)
			throws InterruptedException {
		try (BenchQueue queue = bench.freshQueue()) {
			Backlog backlog = new Backlog(messages, keys, bench.payloads(), queue);
			backlog.fill(instance);
			return new Draining(backlog, remaining).by(List.of(instance));
		}
	}

	/**
	 * Drain it, and check what has arrived.
	 * @return messages a second
	 */
	double by(List<Instance> instances) throws InterruptedException {
		return by(instances, () -> {
		});
	}

	/**
	 * The same.
	 * @param drained is run as soon as everything has arrived, while the relays still run
	 */
	double by(List<Instance> instances, Runnable drained) throws InterruptedException {
		// The limit is measured on an open channel as well
		instances.forEach(Instance::connect);
		long start = System.nanoTime();
		instances.forEach((instance) -> instance.relay().start());
		this.backlog.queue().await(this.backlog.messages());
		double seconds = (System.nanoTime() - start) / 1e9;
		drained.run();
		instances.forEach((instance) -> instance.relay().stop());
		long left = instances.get(0).depth();
		if (left != this.remaining) {
			throw new IllegalStateException("There are %d messages left, not %d".formatted(left, this.remaining));
		}
		this.backlog.queue().verify(this.backlog.messages(), this.ordered ? this.backlog.keys() : 0);
		return this.backlog.messages() / seconds;
	}

}
