package io.orderedoutbox.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Configuration properties of the queues that share the partitions.
 *
 * @param count Number of queues among which a consumer shares the partitions. Without it
 * there are none.
 * @param name Beginning of their names, usually the name of the consumer.
 * @param exchange Name of the direct exchange that the messages come from. By default
 * that of outbox.rabbit.exchange.
 * @param declare Whether the application declares exchange, queues and bindings when it
 * starts, and refuses to start while queues of another count are in use.
 */
@ConfigurationProperties("outbox.rabbit.shards")
public record OutboxShardProperties(@Nullable Integer count, @Nullable String name, @Nullable String exchange,
		@DefaultValue("true") boolean declare) {

	/**
	 * Create properties.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public OutboxShardProperties {
		Assert.isTrue(count == null || count > 0,
				() -> "'outbox.rabbit.shards.count' must be positive, but is " + count);
	}

}
