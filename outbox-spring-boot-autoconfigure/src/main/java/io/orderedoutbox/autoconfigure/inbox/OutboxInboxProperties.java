/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.orderedoutbox.inbox.WithoutId;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

/**
 * Configuration properties of the inbox.
 *
 * @param enabled Whether there is an inbox, in which listeners with @ProcessOnce record
 * what they have processed.
 * @param table Name of the table of the inbox.
 * @param deadLetterTable Name of the table of dead letters that others follow.
 * @param initializeSchema Whether to create the table.
 * @param withoutId What a listener with @ProcessOnce does with a message that has no
 * message id.
 * @param retention Time after which the record of a message is removed. A message that is
 * delivered again after that is processed again.
 * @param purgeInterval Time between two looks for records to remove.
 * @param healthThreshold Time for which messages wait in a queue of shards that no
 * instance consumes, such a queue is missing, or old records cannot be removed, from
 * which on the inbox is not healthy. Zero for none.
 * @param types Classes of payloads by message name, which listeners get from JSON. For
 * example outbox.inbox.types[order.placed]. Several names may have the same class.
 * @param typePackages Packages in which classes with @OutboxMessage are found, which
 * listeners get from JSON by the same names.
 */
@ConfigurationProperties("outbox.inbox")
public record OutboxInboxProperties(@DefaultValue("false") boolean enabled, @DefaultValue("inbox_message") String table,
		@DefaultValue("inbox_dead_letter") String deadLetterTable,
		@DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
		@DefaultValue("reject") WithoutId withoutId, @DefaultValue("7d") Duration retention,
		@DefaultValue("1m") Duration purgeInterval, @DefaultValue("5m") Duration healthThreshold,
		@DefaultValue Map<String, Class<?>> types, @DefaultValue List<String> typePackages) {

	private static final Pattern TABLE = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,49}");

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofDays(3650);

	/**
	 * Create properties.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public OutboxInboxProperties {
		requireTable("table", table);
		requireTable("dead-letter-table", deadLetterTable);
		Assert.isTrue(!table.equals(deadLetterTable),
				"'outbox.inbox.table' and 'outbox.inbox.dead-letter-table' must differ");
		requireBetween("retention", retention);
		requireBetween("purge-interval", purgeInterval);
		Assert.isTrue(!healthThreshold.isNegative(),
				() -> "'outbox.inbox.health-threshold' must not be negative, but is %s"
					.formatted(DurationFormatterUtils.print(healthThreshold, Style.COMPOSITE)));
	}

	private static void requireTable(String name, String value) {
		Assert.isTrue(TABLE.matcher(value).matches(),
				() -> "'outbox.inbox.%s' must be a letter followed by at most 49 letters, digits or underscores, but is '%s'"
					.formatted(name, value));
	}

	private static void requireBetween(String name, Duration value) {
		Assert.isTrue(value.compareTo(SHORTEST) >= 0 && value.compareTo(LONGEST) <= 0,
				() -> "'outbox.inbox.%s' must be between 1s and 3650d, but is %s".formatted(name,
						DurationFormatterUtils.print(value, Style.COMPOSITE)));
	}

}
