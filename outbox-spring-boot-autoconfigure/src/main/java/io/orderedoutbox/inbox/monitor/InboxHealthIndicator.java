/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Says whether the queues of shards are consumed, and old records removed. The indicator
 * asks neither broker nor database.
 * <p>
 * The indicator is down when something has been wrong for as long as the threshold says,
 * that nothing mends by itself: messages wait in a queue that no instance consumes, a
 * queue is missing, or old records cannot be removed. A broker that is away is none of
 * these: then nothing is known of the queues.
 */
public final class InboxHealthIndicator extends AbstractHealthIndicator {

	private static final String UNKNOWN = "unknown";

	private final InboxConsole console;

	private final Duration threshold;

	/**
	 * Create an indicator.
	 * @param console knows the inbox
	 * @param threshold for how long something has to be wrong, zero for ever
	 */
	public InboxHealthIndicator(InboxConsole console, Duration threshold) {
		super("The health of the inbox could not be told");
		this.console = console;
		this.threshold = threshold;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		InboxDescriptor overview = this.console.overview();
		builder.up();
		if (this.console.hasInbox()) {
			builder.withDetail("purge", (overview.purgeFailingSince() != null) ? "failing" : "working");
		}
		if (overview.purgeFailingSince() != null) {
			builder.withDetail("purgeFailingSince", overview.purgeFailingSince().toString());
		}
		if (!overview.shards().isEmpty()) {
			Map<String, Object> shards = new LinkedHashMap<>();
			overview.shards().forEach((shard) -> shards.put(shard.queue(), details(shard)));
			Long age = overview.sampleAgeMillis();
			builder.withDetail("shards", shards)
				.withDetail("sampleAge", (age != null) ? Duration.ofMillis(age).toString() : UNKNOWN);
		}
		List<String> reached = reached(overview);
		if (!reached.isEmpty()) {
			builder.down().withDetail("thresholds", reached);
		}
	}

	private static Map<String, Object> details(ShardDescriptor shard) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", shard.state());
		put(details, "messages", shard.messages());
		put(details, "consumers", shard.consumers());
		put(details, "lastDeliveryHere",
				(shard.lastDeliveryHere() != null) ? shard.lastDeliveryHere().toString() : null);
		put(details, "heldKeys", shard.heldKeys());
		return details;
	}

	private static void put(Map<String, Object> details, String name, @Nullable Object value) {
		if (value != null) {
			details.put(name, value);
		}
	}

	private List<String> reached(InboxDescriptor overview) {
		List<String> reached = new ArrayList<>();
		for (ShardDescriptor shard : overview.shards()) {
			Long millis = shard.unattendedMillis();
			if (millis != null) {
				check(reached,
						(shard.messages() != null) ? "queue '%s' has %d message(s) and no consumer".formatted(
								shard.queue(), shard.messages()) : "queue '%s' is missing".formatted(shard.queue()),
						Duration.ofMillis(millis));
			}
		}
		Instant failingSince = overview.purgeFailingSince();
		if (failingSince != null) {
			check(reached, "old records cannot be removed", Duration.between(failingSince, Instant.now()));
		}
		return reached;
	}

	private void check(List<String> reached, String what, Duration duration) {
		if (!this.threshold.isZero() && duration.compareTo(this.threshold) >= 0) {
			reached.add("%s, for %d s, from %d s on it counts".formatted(what, duration.toSeconds(),
					this.threshold.toSeconds()));
		}
	}

}
