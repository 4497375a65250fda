/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import io.orderedoutbox.inbox.shard.QueueWalk;
import io.orderedoutbox.inbox.shard.ShardQueues;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.core.Message;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Processes dead letters that others follow, in their order. {@link ReplayLock} lets one
 * replay work at a time.
 * <ol>
 * <li>Take one message after the other out of the queue of dead letters, as many as it
 * has, or as a consumer may hold.</li>
 * <li>If another dead letter of its key is before it, leave it. The rows of the table say
 * so, and not the queue, in which what comes back and what comes meanwhile may be in any
 * order.</li>
 * <li>Give it to the listener, as it was. If that fails, leave it, and all that follows
 * it.</li>
 * <li>Remove its row, then acknowledge it. With the last row of a key the consumer of its
 * queue goes on with the key. A message that came before that is in the queue of dead
 * letters, and is taken out in turn.</li>
 * <li>At the end close the channel: what was left goes back to the queue. If anything was
 * processed, begin again: what was left may be the next one now, what has failed may be
 * processed, and more may have come.</li>
 * <li>When nothing more can be processed, count the rows: one may be there whose dead
 * letter is not. Only a look that has met as many messages as there were can tell.</li>
 * </ol>
 */
final class SequencedReplay {

	private static final Logger logger = LoggerFactory.getLogger(DeadLetterReplay.class);

	// A consumer stores the row first
	private static final Duration ON_ITS_WAY = Duration.ofMinutes(1);

	private final ShardListenerContainer listener;

	private final DeadLetterSequences sequences;

	private final ShardQueues shards;

	// The broker may still be taking back what was left
	private int held;

	// Of the last look, all that it has met, if it came to the end of the queue
	private final Set<String> met = new HashSet<>();

	private boolean isAtEnd;

	// Only so that the table is not asked for each message behind one that has failed
	private final Set<String> failed = new HashSet<>();

	SequencedReplay(ShardListenerContainer listener, DeadLetterSequences sequences, ShardQueues shards) {
		this.listener = listener;
		this.sequences = sequences;
		this.shards = shards;
	}

	/**
	 * Look at the table when all was processed that could be: a row whose dead letter was
	 * not in the queue is left as well, since its key is parked. It may be on its way.
	 * One that has not come for long may never come, and the log says so.
	 * @return how many were left, in the queue or in the table, null if that is not known
	 */
	@Nullable Integer left() {
		SequenceFigures figures;
		try {
			figures = this.sequences.figures(this.shards.name());
		}
		// What was processed is processed
		catch (DataAccessException | TransactionException ex) {
			String error = ShardDeadLetters.reason(ex);
			logger.atWarn()
				.addKeyValue("shards", this.shards.name())
				.addKeyValue("error", error)
				.log("Which dead letters of '{}' a replay has left cannot be seen: {}", this.shards.name(), error);
			return null;
		}
		if (this.isAtEnd) {
			figures.heads()
				.stream()
				.filter((head) -> !this.met.contains(head.messageId()) && head.age().compareTo(ON_ITS_WAY) > 0)
				.forEach(this::warnOfMissing);
		}
		return Math.max(this.held, Math.toIntExact(figures.deadLetters()));
	}

	private void warnOfMissing(SequenceFigures.Head head) {
		logger.atWarn()
			.addKeyValue("shards", this.shards.name())
			.addKeyValue("selection", head.messageId())
			.log("Dead letter '{}' of '{}' is not in the queue of dead letters, and others wait behind it: it was removed there, or has been processed by a consumer that took over. Then discard it by its id, and replay again. Not if a consumer still tries to send it there, which its log says",
					head.messageId(), this.shards.name());
	}

	/**
	 * Process what can be processed now.
	 * @param channel is closed afterwards
	 * @return how many were processed
	 */
	int run(Channel channel) throws IOException {
		QueueWalk walk = new QueueWalk(channel, this.shards.deadLetters());
		long known = Math.max(walk.told(), this.held);
		// Something may be on its way, and none are known if the leader is silent
		long count = Math.max(known + 1, ShardQueues.PREFETCH);
		int processed = 0;
		this.failed.clear();
		this.met.clear();
		this.isAtEnd = false;
		for (long taken = 0; taken < count; taken++) {
			Delivery delivery = walk.next();
			if (delivery == null) {
				this.isAtEnd = taken >= known;
				break;
			}
			Message message = ShardDeadLetters.message(delivery, this.shards.deadLetters());
			this.met.add(ShardFailures.idOf(message));
			if (isProcessed(channel, message)) {
				walk.acknowledge(delivery);
				processed++;
			}
		}
		this.held = walk.held();
		return processed;
	}

	private boolean isProcessed(Channel channel, Message message) {
		String id = ShardFailures.idOf(message);
		String key = keyOf(message, id);
		if (this.failed.contains(key) || !isFirst(key, id)) {
			return false;
		}
		Throwable failure = this.listener.process(channel, message);
		if (failure != null) {
			String error = ShardDeadLetters.reason(failure);
			logger.atError()
				.addKeyValue("error", error)
				.log("Dead letter '{}' of '{}' has failed again: {}", id, this.shards.name(), error);
			this.failed.add(key);
			return false;
		}
		this.sequences.remove(this.shards.name(), key, id);
		return true;
	}

	// That of its row
	private String keyOf(Message message, String id) {
		OrderingKeys keys = this.listener.orderingKeys(message.getMessageProperties());
		return !keys.own().equals(keys.other()) && this.sequences.contains(this.shards.name(), keys.other(), id)
				? keys.other() : keys.own();
	}

	// One without a row has become a dead letter before others followed
	private boolean isFirst(String key, String id) {
		return id.equals(this.sequences.first(this.shards.name(), key))
				|| !this.sequences.contains(this.shards.name(), key, id);
	}

}
