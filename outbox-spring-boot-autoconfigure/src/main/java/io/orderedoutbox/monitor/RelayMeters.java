/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.relay.batch.RelayBatch;
import io.orderedoutbox.relay.batch.RelayBatch.Failed;
import io.orderedoutbox.store.FailedMessage.Fate;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * What a relay has done, counted and timed in one registry. All meters are there from the
 * start, so that what never happened is a zero and no gap.
 */
final class RelayMeters {

	// From a good commit to a bad outage
	private static final Duration[] LATENCIES = List
		.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000)
		.stream()
		.map(Duration::ofMillis)
		.toArray(Duration[]::new);

	private static final Map<Fate, String> FATES = Map.of(Fate.RETRIED, "retried", Fate.POSTPONED, "postponed",
			Fate.BLOCKED, "blocked", Fate.DEAD_LETTER, "dead.lettered");

	private final Counter published;

	private final Map<FailureReason, Counter> failed = new EnumMap<>(FailureReason.class);

	private final Map<Fate, Counter> fates = new EnumMap<>(Fate.class);

	private final Counter lost;

	private final Counter wakeUps;

	private final Counter emptyPolls;

	private final DistributionSummary batch;

	private final Timer latency;

	private final Timer claim;

	private final Timer publish;

	private final Timer complete;

	RelayMeters(MeterRegistry registry) {
		this.published = messages("published", "Messages that the broker has taken").register(registry);
		for (FailureReason reason : FailureReason.values()) {
			if (reason != FailureReason.PAUSED && reason != FailureReason.UNAVAILABLE) {
				this.failed.put(reason,
						messages("failed", "Failed attempts to send a message")
							.tag("reason", reason.name().toLowerCase(Locale.ROOT).replace('_', '-'))
							.register(registry));
			}
		}
		FATES.forEach((fate, name) -> this.fates.put(fate,
				messages(name, "Messages that were not sent and are %s now".formatted(name.replace('.', ' ')))
					.register(registry)));
		this.lost = Counter.builder("outbox.relay.claims.lost")
			.description("Claims that were lost before their messages were completed")
			.register(registry);
		this.wakeUps = Counter.builder("outbox.relay.wakeups")
			.description("Idle workers woken by a commit")
			.register(registry);
		this.emptyPolls = Counter.builder("outbox.relay.polls.empty")
			.description("Looks for messages that found nothing to claim")
			.register(registry);
		this.batch = DistributionSummary.builder("outbox.relay.batch")
			.baseUnit("messages")
			.description("Messages claimed at a time")
			.register(registry);
		this.latency = Timer.builder("outbox.latency")
			.description("From the commit of a message to its confirm")
			.serviceLevelObjectives(LATENCIES)
			.register(registry);
		this.claim = timer(registry, "claim", "Look for messages, lock and load them");
		this.publish = timer(registry, "publish", "Send the messages of a batch and wait for their outcomes");
		this.complete = timer(registry, "complete", "Write down what came of a batch");
	}

	private static Counter.Builder messages(String what, String description) {
		return Counter.builder("outbox.messages." + what).description(description);
	}

	private static Timer timer(MeterRegistry registry, String part, String description) {
		return Timer.builder("outbox.relay." + part).description(description).register(registry);
	}

	// What is lost with a claim is sent and counted again
	void count(RelayBatch ended) {
		this.batch.record(ended.messages());
		this.claim.record(ended.durations().claim());
		this.publish.record(ended.durations().publish());
		if (ended.lost()) {
			this.lost.increment();
			return;
		}
		this.complete.record(ended.durations().complete());
		this.published.increment(ended.published().size());
		ended.latencies((nanos) -> this.latency.record(nanos, NANOSECONDS));
		ended.failed().forEach(this::count);
	}

	private void count(Failed message) {
		Counter reason = this.failed.get(message.reason());
		if (reason != null) {
			reason.increment();
		}
		Counter fate = this.fates.get(message.consequence().fate());
		if (fate != null) {
			fate.increment();
		}
	}

	void countWakeUp() {
		this.wakeUps.increment();
	}

	void countEmptyPoll() {
		this.emptyPolls.increment();
	}

}
