/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

import io.orderedoutbox.inbox.listener.ShardListenerSettings;
import io.orderedoutbox.inbox.listener.ShardRetrySettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

/**
 * Configuration properties of the queues that share the partitions.
 *
 * @param count Number of queues among which a consumer shares the partitions, whose
 * number is outbox.partitions also where there is no outbox. Without it there are none.
 * @param name Beginning of the names of these queues, usually the name of the consumer.
 * @param exchange Name of the direct exchange that the messages come from. By default
 * that of outbox.rabbit.exchange.
 * @param declare Whether the application declares exchange, queues and bindings when it
 * starts, and refuses to start while queues of another count are in use.
 * @param concurrency How many messages an instance processes at the same time for each
 * listener.
 * @param order What messages are processed in order of: their partition, or their
 * partition key, which they then must carry in the header x-partition-key.
 * @param balanceInterval Time between two looks at how many of the queues the instance
 * serves, to leave those that are more than its share to other instances. Zero for none.
 * @param retry What happens to messages that fail.
 */
@ConfigurationProperties("outbox.rabbit.shards")
public record OutboxShardProperties(@Nullable Integer count, @Nullable String name, @Nullable String exchange,
		@DefaultValue("true") boolean declare, @DefaultValue("8") int concurrency,
		@DefaultValue("partition") ShardListenerSettings.Order order, @DefaultValue("10s") Duration balanceInterval,
		@DefaultValue Retry retry) {

	private static final int MOST_CONCURRENCY = 10_000;

	private static final int MOST_MULTIPLIER = 100;

	private static final Duration LONGEST_INTERVAL = Duration.ofDays(7);

	/**
	 * Create properties.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public OutboxShardProperties {
		Assert.isTrue(count == null || count > 0,
				() -> "'outbox.rabbit.shards.count' must be positive, but is " + count);
		Assert.isTrue(concurrency > 0 && concurrency <= MOST_CONCURRENCY,
				() -> "'outbox.rabbit.shards.concurrency' must be between 1 and %d, but is %d"
					.formatted(MOST_CONCURRENCY, concurrency));
		Assert.isTrue(!balanceInterval.isNegative() && balanceInterval.compareTo(LONGEST_INTERVAL) <= 0,
				() -> "'outbox.rabbit.shards.balance-interval' must be between 0s and 7d, but is %s"
					.formatted(DurationFormatterUtils.print(balanceInterval, Style.COMPOSITE)));
	}

	ShardListenerSettings listener(ThreadFactory threads) {
		return new ShardListenerSettings(this.concurrency, this.order, threads, this.balanceInterval,
				new ShardRetrySettings(this.retry.initialInterval(), this.retry.multiplier(), this.retry.maxInterval(),
						this.retry.maxAttempts(), this.retry.onExhausted()));
	}

	/**
	 * What happens to messages that fail.
	 *
	 * @param initialInterval Wait after a listener of shards has failed with a message
	 * for the first time.
	 * @param multiplier Factor by which each further wait is longer than the last.
	 * @param maxInterval Longest wait.
	 * @param maxAttempts Attempts of a message before it is given up; 0 for any number.
	 * @param onExhausted What happens to a message that is given up: block holds what is
	 * behind it, dead-letter lets that go on, dead-letter-sequence lets it follow into
	 * the dead letters.
	 */
	public record Retry(@DefaultValue("1s") Duration initialInterval, @DefaultValue("2") double multiplier,
			@DefaultValue("10s") Duration maxInterval, @DefaultValue("0") int maxAttempts,
			@DefaultValue("block") ShardRetrySettings.Exhausted onExhausted) {

		/**
		 * Create properties.
		 * @throws IllegalArgumentException if a value makes no sense
		 */
		public Retry {
			requireBetween("initial-interval", initialInterval);
			requireBetween("max-interval", maxInterval);
			Assert.isTrue(maxInterval.compareTo(initialInterval) >= 0,
					() -> "'outbox.rabbit.shards.retry.max-interval' must not be shorter than 'outbox.rabbit.shards.retry.initial-interval' (%s), but is %s"
						.formatted(text(initialInterval), text(maxInterval)));
			Assert.isTrue(multiplier >= 1 && multiplier <= MOST_MULTIPLIER,
					() -> "'outbox.rabbit.shards.retry.multiplier' must be between 1 and %d, but is %s"
						.formatted(MOST_MULTIPLIER, multiplier));
			Assert.isTrue(maxAttempts >= 0,
					() -> "'outbox.rabbit.shards.retry.max-attempts' must not be negative, but is " + maxAttempts);
		}

		boolean hasSequences() {
			return this.onExhausted == ShardRetrySettings.Exhausted.DEAD_LETTER_SEQUENCE;
		}

		private static void requireBetween(String name, Duration value) {
			Assert.isTrue(value.toMillis() > 0 && value.compareTo(LONGEST_INTERVAL) <= 0,
					() -> "'outbox.rabbit.shards.retry.%s' must be between 1ms and 7d, but is %s".formatted(name,
							text(value)));
		}

		private static String text(Duration duration) {
			return DurationFormatterUtils.print(duration, Style.COMPOSITE);
		}

	}

}
