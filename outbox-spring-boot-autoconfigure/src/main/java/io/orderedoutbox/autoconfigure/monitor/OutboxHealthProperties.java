/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import java.time.Duration;

import io.orderedoutbox.monitor.HealthThresholds;
import io.orderedoutbox.monitor.HealthThresholds.Severity;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

/**
 * Configuration properties of the health of the outbox, which is up unless one of these
 * thresholds has been reached.
 *
 * @param lagThreshold Lag from which on the outbox is not healthy. Zero for none.
 * @param depthThreshold Number of messages in the outbox from which on it is not healthy.
 * Zero for none.
 * @param blockedKeysThreshold Number of blocked partition keys from which on the outbox
 * is not healthy. Zero for none.
 * @param stalledThreshold Time for which the oldest of the messages that hold stalled
 * keys has been in the outbox, from which on it is not healthy. Zero for none.
 * @param deadLettersThreshold Number of dead letters from which on the outbox is not
 * healthy. Zero for none.
 * @param outageThreshold Duration of an outage of broker or database from which on the
 * outbox is not healthy. Zero for none.
 * @param status Status of the outbox when a threshold has been reached.
 */
@ConfigurationProperties("outbox.health")
public record OutboxHealthProperties(@DefaultValue("0s") Duration lagThreshold, @DefaultValue("0") long depthThreshold,
		@DefaultValue("1") long blockedKeysThreshold, @DefaultValue("15m") Duration stalledThreshold,
		@DefaultValue("1") long deadLettersThreshold, @DefaultValue("5m") Duration outageThreshold,
		@DefaultValue("down") Severity status) {

	/**
	 * Create properties.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public OutboxHealthProperties {
		requireNotNegative("lag-threshold", lagThreshold);
		requireNotNegative("depth-threshold", depthThreshold);
		requireNotNegative("blocked-keys-threshold", blockedKeysThreshold);
		requireNotNegative("stalled-threshold", stalledThreshold);
		requireNotNegative("dead-letters-threshold", deadLettersThreshold);
		requireNotNegative("outage-threshold", outageThreshold);
	}

	/**
	 * Return the thresholds.
	 * @return the thresholds, of which those that are zero are none
	 */
	public HealthThresholds thresholds() {
		return new HealthThresholds(this.lagThreshold, this.depthThreshold, this.blockedKeysThreshold,
				this.stalledThreshold, this.deadLettersThreshold, this.outageThreshold, this.status);
	}

	private static void requireNotNegative(String name, Duration value) {
		Assert.isTrue(!value.isNegative(), () -> "'outbox.health.%s' must not be negative, but is %s".formatted(name,
				DurationFormatterUtils.print(value, Style.COMPOSITE)));
	}

	private static void requireNotNegative(String name, long value) {
		Assert.isTrue(value >= 0, () -> "'outbox.health.%s' must not be negative, but is %d".formatted(name, value));
	}

}
