/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.orderedoutbox.inbox.shard.ShardQueues;

import org.springframework.amqp.rabbit.annotation.RabbitListener;

/**
 * Mistakes with the queues of shards.
 */
final class ShardMistakes {

	static final List<Mistake> ALL = List
		.of(new Mistake("has a queue of the same name with other arguments", (trial) -> {
			shards(trial, 4);
			trial.channel().queueDeclare(queues(trial, 4).names()[0], true, false, true, Map.of());
		}), new Mistake("has an exchange of the same name and of another type", (trial) -> {
			shards(trial, 4);
			trial.channel().exchangeDeclare(trial.name(), "topic", false, true, Map.of());
		}), new Mistake("changes `outbox.rabbit.shards.count` while messages wait", (trial) -> {
			shards(trial, 4);
			trial.afterStart();
			Channel channel = trial.channel();
			channel.confirmSelect();
			channel.basicPublish(trial.name(), "0", new BasicProperties(), new byte[0]);
			channel.waitForConfirmsOrDie();
			trial.with("outbox.rabbit.shards.count=6");
		}), new Mistake("has a listener of shards that acknowledges by itself", (trial) -> {
			shards(trial, 4);
			trial.application().with(OfShards.class);
			trial.with("spring.rabbitmq.listener.direct.acknowledge-mode=manual");
		}), new Mistake("has a listener of shards that takes batches", (trial) -> {
			shards(trial, 4);
			trial.application().with(BatchesOfShards.class);
		}), new Mistake("has `on-exhausted=dead-letter-sequence` without the table of dead letters", (trial) -> {
			shards(trial, 4);
			trial.with("outbox.inbox.enabled=true", "outbox.inbox.initialize-schema=always",
					"outbox.rabbit.shards.retry.on-exhausted=dead-letter-sequence");
			trial.afterStart("DROP TABLE inbox_dead_letter");
			trial.with("outbox.inbox.initialize-schema=never");
		}), new Mistake("has shards on a RabbitMQ connection factory that routes to others", (trial) -> {
			shards(trial, 4);
			trial.application().with(SendingMistakes.RoutingConnections.class);
			trial.with("outbox.enabled=false");
		}));

	private ShardMistakes() {
	}

	private static ShardQueues queues(Trial trial, int count) {
		return ShardQueues.of(trial.name(), trial.name(), count);
	}

	private static void shards(Trial trial, int count) throws Exception {
		trial.with("outbox.rabbit.shards.count=" + count, "outbox.rabbit.shards.name=" + trial.name(),
				"outbox.rabbit.exchange=" + trial.name(), "outbox.rabbit.routing-key={partition}");
		Channel channel = trial.channel();
		trial.atEnd(() -> {
			for (ShardQueues queues : List.of(queues(trial, 4), queues(trial, 6))) {
				for (String queue : queues.names()) {
					channel.queueDelete(queue);
				}
				channel.queueDelete(queues.members());
				channel.queueDelete(queues.deadLetters());
			}
			channel.exchangeDelete(trial.name());
		});
	}

	static class OfShards {

		@RabbitListener(id = "billing", queues = "#{shardQueues.names()}",
				containerFactory = "shardListenerContainerFactory")
		void on(String text) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class BatchesOfShards {

		@RabbitListener(id = "billing", queues = "#{shardQueues.names()}",
				containerFactory = "shardListenerContainerFactory", batch = "true")
		void on(List<String> texts) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

}
