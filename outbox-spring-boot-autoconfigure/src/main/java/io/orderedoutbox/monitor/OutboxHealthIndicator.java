/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;

import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayStatus;
import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.store.Backlog;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Says whether this instance relays, what keeps it from doing so, and how much waits. The
 * indicator asks neither database nor broker, unless nothing else would find out that the
 * instance agrees with its outbox again.
 * <p>
 * The indicator is out of service while the instance refuses to publish, because it does
 * not agree with its outbox or with other instances.
 * <p>
 * Otherwise the indicator is up until a threshold has been reached. What passes by itself
 * reaches none: an application with an outbox goes on without its broker, and a message
 * that has failed is tried again. The indicator has no say in whether the application is
 * alive: no restart mends a backlog.
 */
public final class OutboxHealthIndicator extends AbstractHealthIndicator {

	private static final String UNKNOWN = "unknown";

	private final boolean ordered;

	private final HealthSources sources;

	private final HealthThresholds thresholds;

	/**
	 * Create an indicator.
	 * @param ordered whether this instance keeps the order of partition keys
	 * @param sources who knows the state of the outbox
	 * @param thresholds from where on the outbox is not healthy
	 */
	public OutboxHealthIndicator(boolean ordered, HealthSources sources, HealthThresholds thresholds) {
		super("The health of the outbox could not be told");
		this.ordered = ordered;
		this.sources = sources;
		this.thresholds = thresholds;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		OutboxRelay relay = this.sources.relay();
		RelayStatus status = (relay != null) ? relay.status() : null;
		Outage outage = (status != null) ? status.outage() : null;
		BacklogSampler sampler = this.sources.sampler();
		Backlog backlog = (sampler != null) ? sampler.current() : null;
		builder.up()
			.withDetail("ordered", this.ordered)
			.withDetail("relay", (status != null) ? Names.of(status.state()) : "off")
			.withDetail("transport", (status != null) ? transport(status) : UNKNOWN);
		if (outage != null) {
			builder.withDetail("outage", outage.reason())
				.withDetail("outageSince", Instant.now().minus(outage.duration()).toString());
		}
		builder.withDetail("depth", detail(backlog, Backlog::depth))
			.withDetail("lag", detail(backlog, Backlog::lag).toString())
			.withDetail("stalledKeys", detail(backlog, Backlog::stalledKeys))
			.withDetail("blockedKeys", detail(backlog, Backlog::blockedKeys))
			.withDetail("delayedKeys", detail(backlog, Backlog::delayedKeys))
			.withDetail("stalledFor", detail(backlog, Backlog::stalledFor).toString())
			.withDetail("deadLetters", detail(backlog, Backlog::deadLetters))
			.withDetail("sampleAge", detail(sampler, BacklogSampler::age).toString())
			.withDetail("lastSuccess", detail(this.sources.lastSuccess(), LastSuccess::time).toString())
			.withDetail("schemaVersion", detail(sampler, BacklogSampler::schemaVersion));
		judge(builder, this.thresholds.reached(backlog, outage));
		refuse(builder, this.sources.refusal().get());
	}

	// Not an error that passes: each transaction that publishes something fails here
	private static void refuse(Health.Builder builder, @Nullable String refusal) {
		if (refusal != null) {
			builder.withDetail("refusal", refusal).outOfService();
		}
	}

	// While the relay is paused no worker tries
	private static String transport(RelayStatus status) {
		return switch (status.state()) {
			case PAUSED -> UNKNOWN;
			case STOPPED, RUNNING, PAUSING -> (status.outage() != null) ? "lost" : "working";
		};
	}

	private void judge(Health.Builder builder, List<String> reached) {
		if (!reached.isEmpty()) {
			builder.withDetail("thresholds", reached);
			builder.status(switch (this.thresholds.severity()) {
				case DOWN -> Status.DOWN;
				case OUT_OF_SERVICE -> Status.OUT_OF_SERVICE;
				case UP -> Status.UP;
			});
		}
	}

	private static <T> Object detail(@Nullable T source, Function<T, @Nullable Object> property) {
		Object value = (source != null) ? property.apply(source) : null;
		return (value != null) ? value : UNKNOWN;
	}

}
