/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.orderedoutbox.relay.batch.RelayBatch;
import io.orderedoutbox.relay.RelayListener;

/**
 * Counts what the relay does. Registries are bound before the relay starts, so that
 * nothing is missed.
 */
public final class RelayMetrics implements RelayListener, MeterBinder {

	private final List<RelayMeters> bound = new CopyOnWriteArrayList<>();

	@Override
	public void bindTo(MeterRegistry registry) {
		this.bound.add(new RelayMeters(registry));
	}

	@Override
	public void batchEnded(RelayBatch batch) {
		this.bound.forEach((meters) -> meters.count(batch));
	}

	@Override
	public void nothingFound() {
		this.bound.forEach(RelayMeters::countEmptyPoll);
	}

	@Override
	public void woken() {
		this.bound.forEach(RelayMeters::countWakeUp);
	}

}
