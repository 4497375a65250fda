/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.time.Duration;
import java.util.Map;

import io.orderedoutbox.autoconfigure.condition.RelayMode;
import io.orderedoutbox.rabbit.OptionalHeaders;
import io.orderedoutbox.rabbit.RabbitRoutingStrategy.RouteOverride;
import io.orderedoutbox.relay.batch.FailurePolicy.OnExhausted;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties of the outbox.
 *
 * @param enabled Whether to enable the outbox. Without it, annotated events are ordinary
 * application events.
 * @param ordered Whether messages with the same partition key reach the broker in the
 * order in which their transactions committed. Every event then needs a key, or a type
 * that says @OutboxMessage(ordered = false).
 * @param partitions Number of partitions of the outbox. The schema fixes it: it is the
 * number of rows in the tables of partitions and stripes, and the same on all instances.
 * @param maxPayloadSize Maximum size of a payload as it is stored. An event with a larger
 * one is refused when it is published. The broker has a limit, too.
 * @param relay Relay.
 * @param retry Retry of messages that the broker does not take.
 * @param rabbit RabbitMQ.
 * @param correlation Correlation of messages.
 * @param terminal Summary on the terminal.
 */
@ConfigurationProperties("outbox")
public record OutboxProperties(@DefaultValue("true") boolean enabled, @DefaultValue("false") boolean ordered,
		@DefaultValue("64") int partitions, @DefaultValue("8MB") DataSize maxPayloadSize, @DefaultValue Relay relay,
		@DefaultValue Retry retry, @DefaultValue Rabbit rabbit, @DefaultValue Correlation correlation,
		@DefaultValue Terminal terminal) {

	private static final Duration A_DAY = Duration.ofDays(1);

	/**
	 * Create properties.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public OutboxProperties {
		requirePositive("max-payload-size", maxPayloadSize);
	}

	private static void requirePositive(String name, DataSize value) {
		Assert.isTrue(!value.isNegative() && value.toBytes() > 0,
				() -> "'outbox.%s' must be positive, but is %s".formatted(name, value));
	}

	private static void requireBetween(String name, double value, double min, double max) {
		Assert.isTrue(value >= min && value <= max, () -> "'outbox.%s' must be between %s and %s, but is %s"
			.formatted(name, text(min), text(max), text(value)));
	}

	private static void requireBetween(String name, Duration value, Duration min, Duration max) {
		Assert.isTrue(value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
				() -> "'outbox.%s' must be between %s and %s, but is %s".formatted(name, text(min), text(max),
						text(value)));
	}

	private static String text(double value) {
		return (value == Math.rint(value)) ? String.valueOf((long) value) : String.valueOf(value);
	}

	private static String text(Duration value) {
		return DurationFormatterUtils.print(value, Style.COMPOSITE);
	}

	/**
	 * Relay.
	 *
	 * @param mode Whether this instance relays messages to the broker.
	 * @param workers Number of threads that relay. Each uses a database connection while
	 * it works on a batch, and a channel to the broker.
	 * @param poolSize Size of a connection pool of the relay's own, a copy of the
	 * application's HikariCP pool. The number of workers and one more is enough. Without
	 * it the relay takes its connections from the pool of the application.
	 * @param batchSize Maximum number of messages that a worker claims at a time.
	 * @param batchBytes Maximum size of the payloads that a worker claims at a time. A
	 * single larger message is a batch of its own.
	 * @param batchTime Time for which a worker sends the messages that it has claimed.
	 * Then it sends nothing more, waits for what is in flight, and removes what was
	 * confirmed. What is left belongs to the next claim.
	 * @param maxInFlight Maximum number of messages that a worker has sent and that are
	 * not yet confirmed.
	 * @param pipelinedKeys Whether a worker may send further messages of a partition key
	 * before the first is confirmed. Much faster for keys with many messages; but if the
	 * broker refuses one, those behind it that were already sent have overtaken it.
	 * @param pollInterval Time after which an idle worker looks for messages by itself.
	 * Commits on the same instance wake it at once.
	 * @param confirmTimeout Time that the broker has to confirm a message. At most half
	 * of outbox.relay.lock-timeout.
	 * @param lockTimeout Time after which the messages claimed by a host that has
	 * vanished from the network are free again. Those of a process that died are free at
	 * once.
	 * @param stopTimeout Time that a stop, and with it the end of the application, waits
	 * for messages in flight.
	 * @param once Relay that drains the outbox once and ends the process.
	 */
	public record Relay(@DefaultValue("continuous") RelayMode mode, @DefaultValue("2") int workers,
			@Nullable Integer poolSize, @DefaultValue("2000") int batchSize, @DefaultValue("16MB") DataSize batchBytes,
			@DefaultValue("250ms") Duration batchTime, @DefaultValue("500") int maxInFlight,
			@DefaultValue("false") boolean pipelinedKeys, @DefaultValue("1s") Duration pollInterval,
			@DefaultValue("5s") Duration confirmTimeout, @DefaultValue("30s") Duration lockTimeout,
			@DefaultValue("15s") Duration stopTimeout, @DefaultValue Once once) {

		/**
		 * Create properties.
		 * @throws IllegalArgumentException if a value makes no sense
		 */
		public Relay {
			requireBetween("relay.workers", workers, 1, 64);
			Assert.isTrue(poolSize == null || poolSize > 0,
					() -> "'outbox.relay.pool-size' must be positive, but is " + poolSize);
			requireBetween("relay.batch-size", batchSize, 1, 10_000);
			requirePositive("relay.batch-bytes", batchBytes);
			requireBetween("relay.batch-time", batchTime, Duration.ofMillis(10), A_DAY);
			requireBetween("relay.max-in-flight", maxInFlight, 1, 10_000);
			requireBetween("relay.poll-interval", pollInterval, Duration.ofMillis(10), A_DAY);
			requireBetween("relay.confirm-timeout", confirmTimeout, Duration.ofMillis(100), A_DAY);
			requireBetween("relay.lock-timeout", lockTimeout, Duration.ofSeconds(1), A_DAY);
			requireBetween("relay.stop-timeout", stopTimeout, Duration.ZERO, A_DAY);
			Assert.isTrue(confirmTimeout.multipliedBy(2).compareTo(lockTimeout) <= 0,
					() -> "'outbox.relay.confirm-timeout' (%s) must be at most half of 'outbox.relay.lock-timeout' (%s)"
						.formatted(text(confirmTimeout), text(lockTimeout)));
		}

		/**
		 * Relay that drains the outbox once and ends the process.
		 *
		 * @param limit Maximum number of messages that it sends. Zero for any number.
		 * @param timeLimit Time after which no further messages are sent. Zero for as
		 * long as there are any.
		 * @param output What is written to standard output, a line for each batch.
		 */
		public record Once(@DefaultValue("0") int limit, @DefaultValue("0s") Duration timeLimit,
				@DefaultValue("text") Output output) {

			/**
			 * Create properties.
			 * @throws IllegalArgumentException if a value makes no sense
			 */
			public Once {
				requireBetween("relay.once.limit", limit, 0, 1_000_000_000);
				requireBetween("relay.once.time-limit", timeLimit, Duration.ZERO, A_DAY);
			}

			/**
			 * What is written.
			 */
			public enum Output {

				/**
				 * Sentences.
				 */
				TEXT,

				/**
				 * JSON objects.
				 */
				JSON,

				/**
				 * Nothing.
				 */
				SILENT

			}

		}

	}

	/**
	 * Retry of messages that fail for a reason of their own. An outage of broker or
	 * database is none.
	 *
	 * @param initialInterval Time that a message waits after its first failure, and its
	 * partition key with it.
	 * @param multiplier Factor by which each further wait is longer than the last.
	 * @param maxInterval Longest wait.
	 * @param jitter Fraction of itself by which a wait is randomly shorter or longer,
	 * from 0 to 1.
	 * @param maxAttempts Maximum number of attempts to send a message, the first
	 * included. Zero for any number.
	 * @param onExhausted What becomes of a message after its last attempt, and of its
	 * partition key.
	 */
	public record Retry(@DefaultValue("1s") Duration initialInterval, @DefaultValue("2") double multiplier,
			@DefaultValue("1m") Duration maxInterval, @DefaultValue("0.2") double jitter,
			@DefaultValue("0") int maxAttempts, @DefaultValue("block") OnExhausted onExhausted) {

		/**
		 * Create properties.
		 * @throws IllegalArgumentException if a value makes no sense
		 */
		public Retry {
			requireBetween("retry.initial-interval", initialInterval, Duration.ofMillis(1), A_DAY);
			requireBetween("retry.multiplier", multiplier, 1, 100);
			requireBetween("retry.max-interval", maxInterval, Duration.ofMillis(1), A_DAY);
			requireBetween("retry.jitter", jitter, 0, 1);
			requireBetween("retry.max-attempts", maxAttempts, 0, 1_000_000);
			Assert.isTrue(maxInterval.compareTo(initialInterval) >= 0,
					() -> "'outbox.retry.max-interval' (%s) must not be shorter than 'outbox.retry.initial-interval' (%s)"
						.formatted(text(maxInterval), text(initialInterval)));
		}

	}

	/**
	 * RabbitMQ.
	 *
	 * @param exchange Name of the exchange for messages that have no other.
	 * @param routingKey Routing key for messages that have no other. {name} stands for
	 * the name of the message, {partition} for the number of its partition.
	 * @param routes Exchange and routing key by message name, for messages that go
	 * elsewhere. For example outbox.rabbit.routes[order.placed].exchange.
	 * @param headers Headers that messages carry only if you ask for them.
	 * @param format What messages are on the wire.
	 * @param cloudEvents CloudEvents.
	 */
	public record Rabbit(@DefaultValue("amq.topic") String exchange, @DefaultValue("{name}") String routingKey,
			@DefaultValue Map<String, RouteOverride> routes, @DefaultValue Headers headers,
			@DefaultValue("plain") Format format, @DefaultValue CloudEvents cloudEvents) {

		/**
		 * What messages are on the wire.
		 */
		public enum Format {

			/**
			 * A body with the AMQP properties that consumers need.
			 */
			PLAIN,

			/**
			 * The same, and a CloudEvent in binary content mode besides.
			 */
			CLOUDEVENTS

		}

		/**
		 * CloudEvents.
		 *
		 * @param source Source of the events, a URI reference. The name of the
		 * application by default.
		 */
		public record CloudEvents(@Nullable String source) {

		}

		/**
		 * Headers that messages carry only if you ask for them.
		 *
		 * @param partition Whether messages carry the number of their partition, in the
		 * header x-partition.
		 * @param partitionKey Whether messages carry their partition key, in the header
		 * x-partition-key, and as CloudEvents in the attribute partitionkey.
		 * @param position Whether messages carry a number that grows from message to
		 * message of a partition key, in the header x-position.
		 * @param publishedAt Whether messages carry the time of their publication in
		 * microseconds, in the header x-published-at.
		 */
		public record Headers(@DefaultValue("false") boolean partition, @DefaultValue("false") boolean partitionKey,
				@DefaultValue("false") boolean position, @DefaultValue("false") boolean publishedAt) {

			public OptionalHeaders asked() {
				return new OptionalHeaders(this.partition, this.partitionKey, this.position, this.publishedAt);
			}

		}

	}

	/**
	 * Correlation of messages.
	 *
	 * @param create Whether the messages of a transaction that belongs to no correlation
	 * get one of their own. Without it, what follows from such a message is correlated by
	 * its message id.
	 */
	public record Correlation(@DefaultValue("false") boolean create) {

	}

	/**
	 * Summary on the terminal.
	 *
	 * @param enabled Whether a relay that runs all the time shows how it is doing on the
	 * last lines of the terminal. Where standard output is no terminal nothing is shown.
	 */
	public record Terminal(@DefaultValue("false") boolean enabled) {

	}

}
