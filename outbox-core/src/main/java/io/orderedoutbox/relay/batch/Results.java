/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.relay.batch.CircuitBreakers.Pause;
import io.orderedoutbox.relay.batch.RelayBatch.Failed;
import io.orderedoutbox.relay.batch.RelayBatch.Published;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.store.Defect;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * What became of the messages of one claim.
 */
final class Results {

	private final FailurePolicy policy;

	private List<Published> confirmed = new ArrayList<>();

	private final Set<Long> confirmedIds = new HashSet<>();

	private List<Failed> failures = new ArrayList<>();

	Results(FailurePolicy policy) {
		this.policy = policy;
	}

	void published(StoredMessage message, long confirmedAt) {
		if (!this.confirmedIds.add(message.id())) {
			// Sent again with the rest of its sequence, which was in doubt
			return;
		}
		this.confirmed.add(new Published(message, confirmedAt));
		MessageLog.published(message);
	}

	void failed(StoredMessage message, @Nullable FailureReason reason, String error) {
		if (this.confirmedIds.contains(message.id())) {
			return;
		}
		FailedMessage failure = this.policy.failed(message, error);
		this.failures.add(new Failed(message, (reason != null) ? reason : FailureReason.REFUSED, failure));
		MessageLog.failed(message, failure);
	}

	/**
	 * A message has failed, and its sequence ends with it.
	 */
	void failed(InFlight message, @Nullable FailureReason reason, String error) {
		failed(message.message(), reason, error);
		message.progress().end();
	}

	/**
	 * A message cannot be sent as it is. It waits if it is not to blame for that.
	 */
	void defective(StoredMessage message, Defect defect) {
		if (defect.passing()) {
			unavailable(message, defect.reason(), Duration.ZERO);
		}
		else {
			failed(message, FailureReason.UNSENDABLE, defect.reason());
		}
	}

	/**
	 * A message was not sent because of what the sender, or what stands before it, has
	 * thrown, and its sequence ends with it.
	 * @param pause how long others of its encoding wait: it comes after them, because it
	 * may be the only one whose payload cannot be had
	 */
	void unsendable(InFlight message, Throwable thrown, Duration pause) {
		if (thrown instanceof PayloadUnavailableException) {
			Defect defect = Defect.payloadUnavailable(String.valueOf(thrown.getMessage()));
			unavailable(message.message(), defect.reason(), pause);
			message.progress().end();
		}
		else {
			failed(message, FailureReason.UNSENDABLE, ErrorText.of(thrown));
		}
	}

	private void unavailable(StoredMessage message, String reason, Duration pause) {
		if (this.confirmedIds.contains(message.id())) {
			return;
		}
		Duration delay = pause.plus(this.policy.backOff().delay(1));
		FailedMessage postponement = this.policy.postponed(message, reason, delay);
		this.failures.add(new Failed(message, FailureReason.UNAVAILABLE, postponement));
		MessageLog.postponed(message, postponement);
	}

	void postponed(StoredMessage message, Pause pause) {
		FailedMessage postponement = this.policy.postponed(message, FailedMessage.PAUSED_AFTER + pause.reason(),
				pause.left());
		this.failures.add(new Failed(message, FailureReason.PAUSED, postponement));
		MessageLog.postponed(message, postponement);
	}

	List<Long> published() {
		return this.confirmed.stream().map((known) -> known.message().id()).toList();
	}

	List<FailedMessage> failed() {
		return this.failures.stream().map(Failed::consequence).toList();
	}

	/**
	 * The same as {@link #published}, with the times of the confirms.
	 */
	List<Published> confirmed() {
		return this.confirmed;
	}

	/**
	 * The same as {@link #failed}, with the reasons.
	 */
	List<Failed> failures() {
		return this.failures;
	}

	/**
	 * By what it is decided what becomes of a message that has failed.
	 */
	FailurePolicy policy() {
		return this.policy;
	}

	/**
	 * The store has completed these and no others.
	 */
	void replace(List<Published> published, List<Failed> failed) {
		failed.stream()
			.filter((message) -> message.reason() == FailureReason.NOT_REMOVED)
			.forEach((message) -> MessageLog.failed(message.message(), message.consequence()));
		this.confirmed = published;
		this.failures = failed;
	}

	boolean isEmpty() {
		return this.confirmed.isEmpty() && this.failures.isEmpty();
	}

	/**
	 * One line for a batch, and none for the attempts between the first and the last: a
	 * missing route fails messages by the thousand.
	 */
	void log() {
		Sample newlyFailed = new Sample();
		Sample blocked = new Sample();
		Sample dead = new Sample();
		for (Failed failed : this.failures) {
			switch (failed.consequence().fate()) {
				case BLOCKED -> blocked.add(failed);
				case DEAD_LETTER -> dead.add(failed);
				case RETRIED -> {
					if (failed.message().attempts() == 0) {
						newlyFailed.add(failed);
					}
				}
				case POSTPONED -> {
				}
			}
		}
		newlyFailed.log("{} message(s) failed. They stay in the outbox and are tried again; until then nothing "
				+ "of their partition keys is sent. One of them is {}: {}");
		blocked.log("{} message(s) have used up their attempts. They and what waits behind them of their "
				+ "partition keys stay in the outbox until an operator retries or skips them. One of them is {}: {}");
		dead.log("{} message(s) have used up their attempts and are dead letters now; their partition keys go on "
				+ "without them. One of them is {}: {}");
	}

	/**
	 * How many there are of a kind, and one of them.
	 */
	private static final class Sample {

		private int count;

		private @Nullable Failed example;

		void add(Failed failed) {
			this.count++;
			this.example = (this.example != null) ? this.example : failed;
		}

		void log(String text) {
			if (this.example != null) {
				MessageLog.warn(text, this.count, this.example.message(), this.example.consequence());
			}
		}

	}

}
