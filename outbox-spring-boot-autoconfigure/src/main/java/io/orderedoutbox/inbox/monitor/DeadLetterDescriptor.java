/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.util.List;

import io.orderedoutbox.inbox.listener.SequenceFigures;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.inbox.shard.ShardStatus;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of queues that share the partitions.
 *
 * @param shards the name of the shards
 * @param queue the name of the queue of dead letters
 * @param messages how many messages are in it, {@code null} if that is not known
 * @param parkedKeys how many keys have dead letters that others follow, {@code null} if
 * that is not known, or if no message follows a dead letter
 * @param sequenced how many dead letters these keys have
 * @param more whether there are more than were counted
 * @param oldestMillis for how long the oldest of them has been one, {@code null} if there
 * are none
 * @param heads the first dead letters of these keys, no more than a page of them
 */
public record DeadLetterDescriptor(String shards, String queue, @Nullable Long messages, @Nullable Long parkedKeys,
		@Nullable Long sequenced, @Nullable Boolean more, @Nullable Long oldestMillis, @Nullable List<Head> heads) {

	static DeadLetterDescriptor of(ShardQueues shards, @Nullable ShardStatus status, @Nullable SequenceFigures figures,
			long sampleAge) {
		Long messages = (status != null && status.isThere()) ? status.messages() : null;
		return (figures == null)
				? new DeadLetterDescriptor(shards.name(), shards.deadLetters(), messages, null, null, null, null, null)
				: new DeadLetterDescriptor(shards.name(), shards.deadLetters(), messages, figures.parkedKeys(),
						figures.deadLetters(), figures.isMore(),
						(figures.oldest() != null) ? figures.oldest().toMillis() + sampleAge : null,
						figures.heads().stream().map((head) -> Head.of(head, sampleAge)).toList());
	}

	/**
	 * The dead letter that others of its key wait for.
	 *
	 * @param key {@code partition} with its number, or {@code key} with the partition key
	 * @param messageId the id of the message
	 * @param ageMillis for how long it has been a dead letter
	 */
	public record Head(String key, String messageId, long ageMillis) {

		private static Head of(SequenceFigures.Head head, long sampleAge) {
			return new Head(head.key(), head.messageId(), head.age().toMillis() + sampleAge);
		}

	}

}
