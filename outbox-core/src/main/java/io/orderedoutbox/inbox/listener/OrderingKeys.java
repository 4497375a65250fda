/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.inbox.message.OrderingKey;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageProperties;

/**
 * What a message is processed in order of, within its queue.
 *
 * @param own the key, or the partition, as the settings of this application say
 * @param other the other one, which dead letters have from before the settings were
 * changed, or from an instance with other settings
 */
record OrderingKeys(String own, String other) {

	static OrderingKeys of(MessageProperties properties, ShardListenerSettings.Order order) {
		String partition = OrderingKey.of("partition " + properties.getReceivedRoutingKey());
		Object header = properties.getHeader(HeaderStamp.PARTITION_KEY_HEADER);
		// Those without a key have an order among themselves, and hold no key up
		String key = OrderingKey.of((header != null) ? "key " + text(header)
				: "without a key, partition " + properties.getReceivedRoutingKey());
		return (order == ShardListenerSettings.Order.PARTITION_KEY) ? new OrderingKeys(key, partition)
				: new OrderingKeys(partition, key);
	}

	private static String text(@Nullable Object header) {
		return (header instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(header);
	}

	/** Return both, the one first that dead letters may have longer. */
	List<String> oldestFirst() {
		return List.of(this.other, this.own);
	}

}
