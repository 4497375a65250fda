/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayStatus;
import io.orderedoutbox.relay.RelayStatus.WorkerState;
import io.orderedoutbox.store.Backlog;
import org.jspecify.annotations.Nullable;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * The gauges of the outbox. They show what this instance knows already: a gauge that is
 * read asks neither database nor broker. What is not known is {@code NaN}.
 */
public final class OutboxMeters implements MeterBinder {

	private final @Nullable BacklogSampler sampler;

	private final @Nullable OutboxRelay relay;

	/**
	 * Create the gauges.
	 * @param sampler knows the backlog, {@code null} if there is no sampler
	 * @param relay the relay of this instance, {@code null} if it has none
	 */
	public OutboxMeters(@Nullable BacklogSampler sampler, @Nullable OutboxRelay relay) {
		this.sampler = sampler;
		this.relay = relay;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		if (this.sampler != null) {
			bindBacklog(registry, this.sampler);
		}
		if (this.relay != null) {
			bindRelay(registry, this.relay);
		}
	}

	private static void bindBacklog(MeterRegistry registry, BacklogSampler sampler) {
		gauge(registry, sampler, "outbox.depth", "messages", "Messages in the outbox", Backlog::depth);
		gauge(registry, sampler, "outbox.keys.stalled", null, "Partition keys that wait for another attempt",
				Backlog::stalledKeys);
		gauge(registry, sampler, "outbox.keys.blocked", null, "Partition keys that wait for an operator",
				Backlog::blockedKeys);
		gauge(registry, sampler, "outbox.keys.delayed", null, "Partition keys that wait for the time of a message",
				Backlog::delayedKeys);
		gauge(registry, sampler, "outbox.dead.letters", null, "Dead letters", Backlog::deadLetters);
		TimeGauge
			.builder("outbox.lag", sampler, SECONDS, (source) -> value(source, (backlog) -> seconds(backlog.lag())))
			.description("For how long the oldest message that could be sent has been due")
			.register(registry);
	}

	private static void gauge(MeterRegistry registry, BacklogSampler sampler, String name, @Nullable String unit,
			String description, ToDoubleFunction<Backlog> value) {
		Gauge.builder(name, sampler, (source) -> value(source, value))
			.baseUnit(unit)
			.description(description)
			.register(registry);
	}

	private static double value(BacklogSampler sampler, ToDoubleFunction<Backlog> value) {
		Backlog backlog = sampler.current();
		return (backlog != null) ? value.applyAsDouble(backlog) : Double.NaN;
	}

	private static void bindRelay(MeterRegistry registry, OutboxRelay relay) {
		for (WorkerState state : WorkerState.values()) {
			Gauge.builder("outbox.relay.workers", relay, (source) -> count(source.status(), state))
				.tag("state", state.name().toLowerCase(Locale.ROOT))
				.description("Workers of this instance by what they are doing")
				.register(registry);
		}
		TimeGauge.builder("outbox.relay.outage", relay, SECONDS, (source) -> outage(source.status()))
			.description("For how long broker or database cannot be used, zero if they can")
			.register(registry);
	}

	private static long count(RelayStatus status, WorkerState state) {
		return status.workers().stream().filter((worker) -> worker.state() == state).count();
	}

	private static double outage(RelayStatus status) {
		return (status.outage() != null) ? seconds(status.outage().duration()) : 0;
	}

	private static double seconds(Duration duration) {
		return duration.toNanos() / 1e9;
	}

}
