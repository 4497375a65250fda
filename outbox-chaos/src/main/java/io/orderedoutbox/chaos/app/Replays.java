/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.inbox.listener.DeadLetterReplay;
import io.orderedoutbox.inbox.shard.ShardQueues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/**
 * Replays dead letters again and again, in each consumer, as an impatient operator would.
 */
@ConditionalOnProperty(name = "outbox.rabbit.shards.retry.on-exhausted", havingValue = "dead-letter-sequence")
class Replays {

	private static final Logger logger = LoggerFactory.getLogger(Replays.class);

	private static final int MILLIS = 500;

	private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

	private final DeadLetterReplay replay;

	private final ShardQueues shards;

	Replays(DeadLetterReplay replay, ShardQueues shards) {
		this.replay = replay;
		this.shards = shards;
	}

	@EventListener(ApplicationReadyEvent.class)
	@SuppressWarnings("FutureReturnValueIgnored") // it never ends, and tells what fails
	void begin() {
		this.executor.scheduleWithFixedDelay(this::replay, MILLIS, MILLIS, TimeUnit.MILLISECONDS);
	}

	private void replay() {
		try {
			this.replay.run(this.shards);
		}
		// Broker or database are away, or the process is about to end
		catch (RuntimeException ex) {
			logger.info("A replay has failed", ex);
		}
	}

	@EventListener(ContextClosedEvent.class)
	void end() {
		this.executor.shutdownNow();
	}

}
