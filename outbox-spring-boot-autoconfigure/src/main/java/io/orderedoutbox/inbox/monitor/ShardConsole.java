/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.orderedoutbox.inbox.listener.ShardDeliveries;
import io.orderedoutbox.inbox.listener.ShardRetries;
import io.orderedoutbox.inbox.shard.ShardSampler;
import io.orderedoutbox.inbox.shard.ShardStatus;
import org.jspecify.annotations.Nullable;

/**
 * What this instance knows of the queues of shards.
 */
public final class ShardConsole {

	private final ShardSampler sampler;

	private final ShardDeliveries deliveries;

	private final AllRetries retries;

	/**
	 * Create a console.
	 * @param sampler knows what the broker says of the queues
	 * @param deliveries knows when this instance was handed messages
	 * @param retries tell what is held back; asked each time
	 */
	public ShardConsole(ShardSampler sampler, ShardDeliveries deliveries, Supplier<List<ShardRetries>> retries) {
		this.sampler = sampler;
		this.deliveries = deliveries;
		this.retries = new AllRetries(retries);
	}

	List<ShardDescriptor> overview() {
		boolean retried = this.retries.areKnown();
		return queues().stream()
			.map((queue) -> ShardDescriptor.of(queue, status(queue), this.deliveries.last(queue),
					retried ? this.retries.of(queue) : null))
			.toList();
	}

	/**
	 * How long ago the broker has said what is told of the queues.
	 */
	@Nullable Duration age() {
		return this.sampler.age();
	}

	List<String> queues() {
		return this.sampler.queues();
	}

	AllRetries retries() {
		return this.retries;
	}

	@Nullable ShardStatus status(String queue) {
		return this.sampler.status(queue);
	}

}
