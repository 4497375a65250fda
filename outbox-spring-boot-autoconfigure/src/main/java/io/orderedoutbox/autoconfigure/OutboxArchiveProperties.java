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
 * Configuration properties of the archive.
 *
 * @param enabled Whether to keep what was published for a while, in a table of its own.
 * @param retention Time after which what was published is removed from the archive.
 */
@ConfigurationProperties("outbox.archive")
public record OutboxArchiveProperties(@DefaultValue("false") boolean enabled, @DefaultValue("7d") Duration retention) {

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofDays(3650);

	/**
	 * Create properties.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public OutboxArchiveProperties {
		Assert.isTrue(retention.compareTo(SHORTEST) >= 0 && retention.compareTo(LONGEST) <= 0,
				() -> "'outbox.archive.retention' must be between 1s and 3650d, but is %s"
					.formatted(DurationFormatterUtils.print(retention, Style.COMPOSITE)));
	}

}
