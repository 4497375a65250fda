package io.orderedoutbox.autoconfigure;

import java.time.Duration;
import java.util.Map;

import io.orderedoutbox.rabbit.RabbitRoutingStrategy.Route;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties of the outbox.
 *
 * @param enabled Whether the outbox is there at all. Without it, annotated events are
 * ordinary application events.
 * @param ordered Whether messages with the same partition key reach the broker in the
 * order of their commits. Every event then needs a key.
 * @param maxPayloadSize Greatest size of a payload; an event with a larger one is refused
 * when it is published. The broker has a limit too.
 * @param relay Relay.
 * @param retry Retry of messages that the broker does not take.
 * @param rabbit RabbitMQ.
 */
@ConfigurationProperties("outbox")
public record OutboxProperties(@DefaultValue("true") boolean enabled, @DefaultValue("false") boolean ordered,
		@DefaultValue("8MB") DataSize maxPayloadSize, @DefaultValue Relay relay, @DefaultValue Retry retry,
		@DefaultValue Rabbit rabbit) {

	/**
	 * Relay.
	 *
	 * @param mode Whether this instance relays messages.
	 * @param workers Number of threads that relay. Each uses a database connection while
	 * it works on a batch, and a channel to the broker.
	 * @param batchSize Greatest number of messages that a worker claims at a time.
	 * @param batchBytes Greatest size of their payloads together.
	 * @param maxInFlight Greatest number of messages that a worker has sent and that are
	 * not yet confirmed.
	 * @param pollInterval How long an idle worker waits before it looks for messages by
	 * itself. Commits on the same instance wake it at once.
	 * @param confirmTimeout How long the broker may take to confirm a message. At most
	 * half the lock timeout.
	 * @param lockTimeout How long the messages claimed by a host that has vanished from
	 * the network stay locked. Those of a process that died are free at once.
	 * @param stopTimeout How long a stop waits for messages in flight. Keep it below
	 * spring.lifecycle.timeout-per-shutdown-phase.
	 */
	public record Relay(@DefaultValue("continuous") Mode mode, @DefaultValue("2") int workers,
			@DefaultValue("1000") int batchSize, @DefaultValue("16MB") DataSize batchBytes,
			@DefaultValue("500") int maxInFlight, @DefaultValue("1s") Duration pollInterval,
			@DefaultValue("5s") Duration confirmTimeout, @DefaultValue("30s") Duration lockTimeout,
			@DefaultValue("15s") Duration stopTimeout) {

		public Relay {
			requireBetween("workers", workers, 64);
			requireBetween("batch-size", batchSize, 10_000);
			requireBetween("max-in-flight", maxInFlight, 10_000);
			Assert.isTrue(batchBytes.toBytes() > 0, "'outbox.relay.batch-bytes' must be positive");
			requireAtLeast("poll-interval", pollInterval, Duration.ofMillis(10));
			requireAtLeast("confirm-timeout", confirmTimeout, Duration.ofMillis(100));
			requireAtLeast("lock-timeout", lockTimeout, Duration.ofSeconds(1));
			requireAtLeast("stop-timeout", stopTimeout, Duration.ZERO);
			Assert.isTrue(confirmTimeout.multipliedBy(2).compareTo(lockTimeout) <= 0,
					() -> "'outbox.relay.confirm-timeout' (%s) must be at most half of 'outbox.relay.lock-timeout' (%s)"
						.formatted(confirmTimeout, lockTimeout));
		}

		private static void requireBetween(String name, int value, int max) {
			Assert.isTrue(value >= 1 && value <= max,
					() -> "'outbox.relay.%s' must be between 1 and %d, but is %d".formatted(name, max, value));
		}

		private static void requireAtLeast(String name, Duration value, Duration min) {
			Assert.isTrue(value.compareTo(min) >= 0,
					() -> "'outbox.relay.%s' must be at least %s, but is %s".formatted(name, min, value));
		}

		/**
		 * Whether an instance relays.
		 */
		public enum Mode {

			/**
			 * It relays for as long as it runs.
			 */
			CONTINUOUS,

			/**
			 * It only writes; others relay.
			 */
			OFF

		}

	}

	/**
	 * Retry of messages that the broker does not take.
	 *
	 * @param initialInterval How long a message waits after its first failure, and its
	 * partition key with it.
	 * @param multiplier By how much each further wait is longer than the last.
	 * @param maxInterval Longest wait.
	 * @param jitter By which part of itself a wait may be shorter or longer, from 0 to 1.
	 */
	public record Retry(@DefaultValue("1s") Duration initialInterval, @DefaultValue("2") double multiplier,
			@DefaultValue("1m") Duration maxInterval, @DefaultValue("0.2") double jitter) {

	}

	/**
	 * RabbitMQ.
	 *
	 * @param exchange Name of the exchange for messages that have no other.
	 * @param routes Overrides by message name, for example
	 * outbox.rabbit.routes[order.placed].exchange.
	 */
	public record Rabbit(@DefaultValue("amq.topic") String exchange, @DefaultValue Map<String, Route> routes) {

	}

}
