/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.support.ConsumerTagStrategy;

/**
 * The tags of the consumers of a container, each with its queue.
 */
final class ConsumerTags {

	private final Map<String, String> queues = new ConcurrentHashMap<>();

	/**
	 * Make the tag of a consumer that begins.
	 * @param strategy makes tags, null for some tag
	 */
	String add(String queue, @Nullable ConsumerTagStrategy strategy) {
		String tag = (strategy != null) ? strategy.createConsumerTag(queue) : queue;
		// One that has just ended may have the same
		String unique = (strategy != null && !this.queues.containsKey(tag)) ? tag : tag + "-" + UUID.randomUUID();
		this.queues.put(unique, queue);
		return unique;
	}

	/** Return the queue of a consumer, an empty text if it has ended. */
	String queueOf(@Nullable String tag) {
		return (tag != null) ? this.queues.getOrDefault(tag, "") : "";
	}

	void remove(String tag) {
		this.queues.remove(tag);
	}

}
