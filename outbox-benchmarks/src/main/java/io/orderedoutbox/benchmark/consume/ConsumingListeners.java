/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.consume;

import io.orderedoutbox.inbox.ProcessOnce;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;

/**
 * Listeners as an application has them, one to an instance.
 */
final class ConsumingListeners {

	private ConsumingListeners() {
	}

	/**
	 * Of one queue.
	 */
	static class OneQueue {

		private final Consumption consumption;

		OneQueue(Consumption consumption) {
			this.consumption = consumption;
		}

		@RabbitListener(queues = "${benchmark.queue}")
		void on(Message message) {
			this.consumption.process(message);
		}

	}

	/**
	 * Of one queue, each message once.
	 */
	static class OneQueueOnce {

		private final Consumption consumption;

		OneQueueOnce(Consumption consumption) {
			this.consumption = consumption;
		}

		@ProcessOnce("benchmark")
		@RabbitListener(queues = "${benchmark.queue}")
		void on(Message message) {
			this.consumption.process(message);
		}

	}

	/**
	 * Of shards.
	 */
	static class Shards {

		private final Consumption consumption;

		Shards(Consumption consumption) {
			this.consumption = consumption;
		}

		@RabbitListener(queues = "#{@shardQueues.names()}", containerFactory = "shardListenerContainerFactory")
		void on(Message message) {
			this.consumption.process(message);
		}

	}

	/**
	 * Of shards, each message once.
	 */
	static class ShardsOnce {

		private final Consumption consumption;

		ShardsOnce(Consumption consumption) {
			this.consumption = consumption;
		}

		@ProcessOnce("benchmark")
		@RabbitListener(queues = "#{@shardQueues.names()}", containerFactory = "shardListenerContainerFactory")
		void on(Message message) {
			this.consumption.process(message);
		}

	}

}
