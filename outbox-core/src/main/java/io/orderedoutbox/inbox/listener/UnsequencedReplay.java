/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import io.orderedoutbox.inbox.shard.QueueWalk;
import io.orderedoutbox.inbox.shard.ShardQueues;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;
import org.springframework.util.Assert;

/**
 * Sends dead letters that no others follow to the queues that they came from again.
 */
final class UnsequencedReplay {

	private static final Pattern PARTITION = Pattern.compile("\\d{1,9}");

	private final ShardDeadLetters sender;

	private final ShardQueues shards;

	private boolean hasSeenAll;

	UnsequencedReplay(ShardDeadLetters sender, ShardQueues shards) {
		this.sender = sender;
		this.shards = shards;
	}

	/**
	 * Send all that are there now. What fails again meanwhile stays for the next replay.
	 * @return how many were sent
	 */
	int run(Channel channel) throws IOException {
		Set<String> sent = new HashSet<>();
		QueueWalk walk = new QueueWalk(channel, this.shards.deadLetters());
		Delivery delivery = walk.next();
		while (delivery != null) {
			String id = ShardFailures.idOf(ShardDeadLetters.message(delivery, this.shards.deadLetters()));
			if (sent.add(id)) {
				send(delivery, id);
				walk.acknowledge(delivery);
			}
			delivery = walk.next();
		}
		this.hasSeenAll = walk.hasSeenAll();
		return sent.size();
	}

	/** Return null if there may be some that could not be looked at, and else zero. */
	@Nullable Integer left() {
		return this.hasSeenAll ? 0 : null;
	}

	// Where it came from stays with it, and its listener sees it as it was
	private void send(Delivery delivery, String id) {
		BasicProperties properties = delivery.getProperties();
		Map<String, Object> headers = new HashMap<>();
		if (properties.getHeaders() != null) {
			headers.putAll(properties.getHeaders());
		}
		headers.remove(RepublishMessageRecoverer.X_EXCEPTION_MESSAGE);
		String partition = String.valueOf(headers.get(RepublishMessageRecoverer.X_ORIGINAL_ROUTING_KEY));
		Assert.state(PARTITION.matcher(partition).matches(),
				() -> "Message '%s' does not say which partition it came from. Remove it from the queue of dead letters"
					.formatted(id));
		this.sender.send(this.shards.queueOf(Integer.parseInt(partition)),
				properties.builder().headers(headers).build(), delivery.getBody());
	}

}
