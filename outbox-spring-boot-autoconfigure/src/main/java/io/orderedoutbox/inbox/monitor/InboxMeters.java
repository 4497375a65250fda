/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.orderedoutbox.inbox.listener.QueueRetries;
import io.orderedoutbox.inbox.shard.ShardStatus;

/**
 * The meters of the queues of shards, and of their dead letters. They show what this
 * instance knows already: a gauge that is read asks neither broker nor database. What is
 * not known is {@code NaN}.
 */
public final class InboxMeters implements MeterBinder {

	private static final String QUEUE = "queue";

	private final InboxConsole console;

	/**
	 * Create the meters.
	 * @param console knows the queues
	 */
	public InboxMeters(InboxConsole console) {
		this.console = console;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (String queue : this.console.shards().queues()) {
			gauge(registry, queue, "messages", "Messages that wait in a queue of shards", ShardStatus::messages);
			gauge(registry, queue, "consumers", "Consumers, of any instance, that the broker hands them to",
					ShardStatus::consumers);
			if (this.console.shards().retries().areKnown()) {
				bindRetries(registry, queue);
			}
		}
		new DeadLetterMeters(this.console.deadLetters()).bindTo(registry);
	}

	private void gauge(MeterRegistry registry, String queue, String what, String description,
			ToDoubleFunction<ShardStatus> value) {
		Gauge.builder("outbox.inbox.shard." + what, this.console, (source) -> value(source, queue, value))
			.tag(QUEUE, queue)
			.description(description)
			.register(registry);
	}

	private static double value(InboxConsole console, String queue, ToDoubleFunction<ShardStatus> value) {
		ShardStatus status = console.shards().status(queue);
		return (status != null && status.isThere()) ? value.applyAsDouble(status) : Double.NaN;
	}

	private void bindRetries(MeterRegistry registry, String queue) {
		held(registry, queue, "outbox.inbox.keys.held", "Partition keys that this instance holds back",
				QueueRetries::heldKeys);
		held(registry, queue, "outbox.inbox.messages.held", "Messages that these keys hold back",
				QueueRetries::heldMessages);
		counter(registry, queue, "outbox.inbox.messages.retried", "Attempts that were repeated", QueueRetries::retried);
		counter(registry, queue, "outbox.inbox.messages.dead.lettered", "Messages that became dead letters",
				QueueRetries::deadLettered);
	}

	private void held(MeterRegistry registry, String queue, String name, String description,
			ToLongFunction<QueueRetries> value) {
		Gauge.builder(name, this.console.shards().retries(), (retries) -> value.applyAsLong(retries.of(queue)))
			.tag(QUEUE, queue)
			.description(description)
			.register(registry);
	}

	private void counter(MeterRegistry registry, String queue, String name, String description,
			ToLongFunction<QueueRetries> value) {
		FunctionCounter
			.builder(name, this.console.shards().retries(), (retries) -> value.applyAsLong(retries.of(queue)))
			.tag(QUEUE, queue)
			.description(description)
			.register(registry);
	}

}
