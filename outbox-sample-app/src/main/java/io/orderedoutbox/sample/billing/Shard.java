/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.time.Duration;
import java.time.Instant;

import io.orderedoutbox.inbox.monitor.ShardDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * A queue of shards, as this instance sees it.
 *
 * @param queue its name
 * @param owner who owns it
 * @param sinceDeliveryMillis how long ago this instance was last handed a message of it,
 * null if it has not been since its start
 * @param waiting messages that wait in the queue, null if that is not known
 * @param heldKeys orders that this instance holds back
 * @param heldMessages messages that it holds back with them
 * @param retried attempts that it has repeated
 * @param deadLettered messages that it has made dead letters of
 */
public record Shard(String queue, Owner owner, @Nullable Long sinceDeliveryMillis, @Nullable Long waiting,
		@Nullable Long heldKeys, @Nullable Long heldMessages, @Nullable Long retried, @Nullable Long deadLettered) {

	static Shard of(ShardDescriptor shard, Instant now) {
		Instant last = shard.lastDeliveryHere();
		return new Shard(shard.queue(), owner(shard), (last != null) ? Duration.between(last, now).toMillis() : null,
				shard.messages(), shard.heldKeys(), shard.heldMessages(), shard.retried(), shard.deadLettered());
	}

	private static Owner owner(ShardDescriptor shard) {
		Long consumers = shard.consumers();
		if (consumers == null) {
			return Owner.UNKNOWN;
		}
		if (consumers == 0) {
			return Owner.NOBODY;
		}
		return (shard.lastDeliveryHere() != null) ? Owner.HERE : Owner.ELSEWHERE_OR_IDLE;
	}

	/**
	 * Who owns a queue, as far as an instance can tell: the broker does not say over AMQP
	 * to which instance it hands the messages.
	 */
	public enum Owner {

		/**
		 * This instance was handed messages of it. If another one has become the owner
		 * since, the time of the last one is old.
		 */
		HERE,

		/**
		 * Somebody consumes, and this instance was handed nothing: it is another one, or
		 * nothing has come yet.
		 */
		ELSEWHERE_OR_IDLE,

		/**
		 * Nobody consumes.
		 */
		NOBODY,

		/**
		 * The broker has not answered, or there is no such queue.
		 */
		UNKNOWN

	}

}
