/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.orderedoutbox.inbox.listener.SequenceFigures;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.inbox.shard.ShardStatus;
import org.jspecify.annotations.Nullable;

/**
 * The meters of dead letters of shards. Those of dead letters that others follow are
 * there if any listener in this instance has such.
 */
final class DeadLetterMeters {

	private static final String SHARDS = "shards";

	private final DeadLetterConsole console;

	DeadLetterMeters(DeadLetterConsole console) {
		this.console = console;
	}

	void bindTo(MeterRegistry registry) {
		for (ShardQueues queues : this.console.shards()) {
			Gauge.builder("outbox.inbox.dead.letters", this.console, (source) -> depth(source.depth(queues)))
				.tag(SHARDS, queues.name())
				.description("Messages in the queue of dead letters")
				.register(registry);
			if (this.console.hasSequences()) {
				bindSequences(registry, queues);
			}
		}
	}

	private static double depth(@Nullable ShardStatus status) {
		return (status != null && status.isThere()) ? status.messages() : Double.NaN;
	}

	private void bindSequences(MeterRegistry registry, ShardQueues queues) {
		Gauge.builder("outbox.inbox.keys.parked", this.console, figure(queues, SequenceFigures::parkedKeys))
			.tag(SHARDS, queues.name())
			.description("Partition keys with dead letters that others follow")
			.register(registry);
		Gauge.builder("outbox.inbox.dead.letters.sequenced", this.console, figure(queues, SequenceFigures::deadLetters))
			.tag(SHARDS, queues.name())
			.description("Dead letters of these keys")
			.register(registry);
		TimeGauge
			.builder("outbox.inbox.dead.letters.age", this.console, TimeUnit.SECONDS,
					figure(queues, (figures) -> seconds(figures.oldest())))
			.tag(SHARDS, queues.name())
			.description("For how long the oldest of them has been a dead letter")
			.register(registry);
	}

	private static ToDoubleFunction<DeadLetterConsole> figure(ShardQueues queues,
			ToDoubleFunction<SequenceFigures> value) {
		return (source) -> {
			SequenceFigures figures = source.figures(queues);
			return (figures != null) ? value.applyAsDouble(figures) : Double.NaN;
		};
	}

	private static double seconds(@Nullable Duration age) {
		return (age != null) ? age.toMillis() / 1000.0 : 0;
	}

}
