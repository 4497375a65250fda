/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

/**
 * Configuration properties of the dead letters.
 *
 * @param retention Time after which dead letters are removed for ever; 0 for never.
 */
@ConfigurationProperties("outbox.dead-letters")
public record OutboxDeadLetterProperties(@DefaultValue("0s") Duration retention) {

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofDays(3650);

	/**
	 * Create properties.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public OutboxDeadLetterProperties {
		Assert.isTrue(retention.isZero() || (retention.compareTo(SHORTEST) >= 0 && retention.compareTo(LONGEST) <= 0),
				() -> "'outbox.dead-letters.retention' must be 0s or between 1s and 3650d, but is %s"
					.formatted(DurationFormatterUtils.print(retention, Style.COMPOSITE)));
	}

}
