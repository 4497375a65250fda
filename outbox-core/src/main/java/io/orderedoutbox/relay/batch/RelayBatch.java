/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.StoreTime;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * What came of one claim.
 *
 * @param worker number of the worker, from one on
 * @param keys how many partition keys were claimed, each message without a key counted as
 * one
 * @param messages how many messages were claimed
 * @param published those that the broker has taken
 * @param failed those that were not sent for a reason of their own
 * @param lost whether the claim was lost before all this could be written down: the
 * worker that claims the messages next sends them again
 * @param durations how long it took
 * @param time the time of the store while the claim was made, {@code null} if the store
 * does not tell it
 */
public record RelayBatch(int worker, int keys, int messages, List<Published> published, List<Failed> failed,
		boolean lost, Durations durations, @Nullable StoreTime time) {

	/**
	 * Tell how long each published message took from its commit to its confirm, as far as
	 * the database can tell: it dates a message when it stores it, just before the
	 * commit. Of a message that was delayed, how long it took from its time.
	 * @param latency is given nanoseconds, once for each message
	 */
	public void latencies(LongConsumer latency) {
		if (this.time != null) {
			for (Published message : this.published) {
				latency.accept(this.time.age(message.message().availableAt(), message.confirmedAt()));
			}
		}
	}

	/**
	 * A message that the broker has taken.
	 *
	 * @param message the message
	 * @param confirmedAt when that became known, by {@link System#nanoTime}
	 */
	public record Published(StoredMessage message, long confirmedAt) {

	}

	/**
	 * A message that was not sent.
	 *
	 * @param message the message
	 * @param reason why not
	 * @param consequence what becomes of it
	 */
	public record Failed(StoredMessage message, FailureReason reason, FailedMessage consequence) {

	}

	/**
	 * How long the parts of a batch took.
	 *
	 * @param claim from the look for messages until they were loaded
	 * @param publish from the first send until the last outcome
	 * @param complete until the store had written down what came of them
	 */
	public record Durations(Duration claim, Duration publish, Duration complete) {

	}

}
