/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.orderedoutbox.sample.timeline.ArrivedEvent;
import io.orderedoutbox.sample.timeline.CommittedEvent;
import io.orderedoutbox.sample.timeline.OrderTimeline;
import io.orderedoutbox.sample.timeline.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The events of one order.
 *
 * @param committed the committed ones, in the order of their commits
 * @param arrived their deliveries, in the order of their arrival
 */
record EventViews(List<Committed> committed, List<Arrived> arrived) {

	static EventViews of(OrderTimeline timeline) {
		Map<Long, Instant> commits = timeline.committed()
			.stream()
			.collect(Collectors.toMap(CommittedEvent::version, CommittedEvent::recordedAt));
		return new EventViews(timeline.committed().stream().map(Committed::of).toList(),
				timeline.arrived().stream().map((event) -> Arrived.of(event, commits.get(event.version()))).toList());
	}

	record Committed(long version, String name, Instant at) {

		static Committed of(CommittedEvent event) {
			return new Committed(event.version(), event.name(), event.recordedAt());
		}

	}

	record Arrived(long number, long version, @Nullable String messageId, Verdict verdict, Instant at,
			@Nullable Long delayMillis) {

		static Arrived of(ArrivedEvent event, @Nullable Instant committedAt) {
			Long delay = (committedAt != null) ? Duration.between(committedAt, event.arrivedAt()).toMillis() : null;
			return new Arrived(event.number(), event.version(), event.messageId(), event.verdict(), event.arrivedAt(),
					delay);
		}

	}

}
