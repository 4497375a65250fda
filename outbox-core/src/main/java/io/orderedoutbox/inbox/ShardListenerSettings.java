package io.orderedoutbox.inbox;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

import org.springframework.util.Assert;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * How the listeners of shards work.
 *
 * @param concurrency how many messages an instance processes at the same time for one
 * listener, at least 1
 * @param order what messages are processed in order of
 * @param threads makes the threads that process
 * @param initialInterval pause after the first failure of a message
 * @param multiplier growth of the pause, at least 1
 * @param maxInterval longest pause
 * @param maxAttempts how often a message is tried before it is given up, 0 for any number
 * @param exhausted what becomes of a message that is given up
 */
public record ShardListenerSettings(int concurrency, Order order, ThreadFactory threads, Duration initialInterval,
		double multiplier, Duration maxInterval, int maxAttempts, Exhausted exhausted) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public ShardListenerSettings {
		Assert.isTrue(concurrency >= 1, "'concurrency' must be at least 1");
		Assert.isTrue(multiplier >= 1, "'multiplier' must be at least 1");
		Assert.isTrue(maxAttempts >= 0, "'maxAttempts' must not be negative");
		Assert.isTrue(initialInterval.toMillis() >= 1 && maxInterval.compareTo(initialInterval) >= 0,
				"'initialInterval' must be at least 1 ms, and 'maxInterval' at least as long");
	}

	BackOffExecution backOff() {
		ExponentialBackOff backOff = new ExponentialBackOff(this.initialInterval.toMillis(), this.multiplier);
		backOff.setMaxInterval(this.maxInterval.toMillis());
		return backOff.start();
	}

	boolean isDeadLetterAfter(int attempts) {
		return this.exhausted == Exhausted.DEAD_LETTER && this.maxAttempts > 0 && attempts >= this.maxAttempts;
	}

	/**
	 * What messages are processed in order of. Those of different ones are processed side
	 * by side, and go on while one fails.
	 */
	public enum Order {

		/**
		 * Partition: right whatever headers the messages have.
		 */
		PARTITION,

		/**
		 * Partition key, in the header {@code x-partition-key}. A message without it is
		 * in the order of its partition only among those without it.
		 */
		PARTITION_KEY

	}

	/**
	 * What becomes of a message that was tried as often as allowed.
	 */
	public enum Exhausted {

		/**
		 * It is tried on, at the longest pause, and what is behind it waits.
		 */
		BLOCK,

		/**
		 * It goes to the queue of dead letters, and what is behind it goes on.
		 */
		DEAD_LETTER

	}

}
