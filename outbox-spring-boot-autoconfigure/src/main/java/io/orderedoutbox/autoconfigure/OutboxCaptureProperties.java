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
 * Configuration properties of an outbox that another program reads from the log of the
 * database.
 *
 * @param retention Time after which each instance removes messages from the outbox, sent
 * or not, where Debezium or another program reads them from the log of the database; 0
 * for never. Only with outbox.relay.mode=off on all instances.
 */
@ConfigurationProperties("outbox.capture")
public record OutboxCaptureProperties(@DefaultValue("0s") Duration retention) {

	// What is younger may be in a transaction that has not yet committed, and the program
	// that reads the log may need what was committed to begin anew
	private static final Duration SHORTEST = Duration.ofMinutes(1);

	private static final Duration LONGEST = Duration.ofDays(3650);

	/**
	 * Create properties.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public OutboxCaptureProperties {
		Assert.isTrue(retention.isZero() || (retention.compareTo(SHORTEST) >= 0 && retention.compareTo(LONGEST) <= 0),
				() -> "'outbox.capture.retention' must be 0s or between 1m and 3650d, but is %s"
					.formatted(DurationFormatterUtils.print(retention, Style.COMPOSITE)));
	}

}
