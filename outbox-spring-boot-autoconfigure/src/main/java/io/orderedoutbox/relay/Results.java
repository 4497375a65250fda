package io.orderedoutbox.relay;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.relay.RelayBatch.Failed;
import io.orderedoutbox.relay.RelayBatch.Published;
import io.orderedoutbox.relay.Suspects.Pause;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * What became of the messages of one claim.
 */
final class Results {

	private final FailurePolicy policy;

	private final List<Published> confirmed = new ArrayList<>();

	private final List<Failed> failures = new ArrayList<>();

	private final Sample newlyFailed = new Sample();

	private final Sample blocked = new Sample();

	private final Sample dead = new Sample();

	Results(FailurePolicy policy) {
		this.policy = policy;
	}

	void published(StoredMessage message, long confirmedAt) {
		this.confirmed.add(new Published(message, confirmedAt));
		MessageLog.published(message);
	}

	void failed(StoredMessage message, @Nullable FailureReason reason, String error) {
		if (this.confirmed.stream().anyMatch((known) -> known.message().id() == message.id())) {
			// Sent again with the rest of its run, which was in doubt
			return;
		}
		FailedMessage failure = this.policy.failed(message, error);
		this.failures.add(new Failed(message, (reason != null) ? reason : FailureReason.REFUSED, failure));
		MessageLog.failed(message, failure);
		if (failure.fate() == Fate.BLOCKED) {
			this.blocked.add(message, failure);
		}
		else if (failure.fate() == Fate.DEAD_LETTER) {
			this.dead.add(message, failure);
		}
		else if (message.attempts() == 0) {
			this.newlyFailed.add(message, failure);
		}
	}

	void postponed(StoredMessage message, Pause pause) {
		FailedMessage postponement = this.policy.postponed(message,
				"not tried, because its destination is paused after: " + pause.reason(), pause.left());
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

	boolean isEmpty() {
		return this.confirmed.isEmpty() && this.failures.isEmpty();
	}

	/**
	 * One line for a batch, and none for the attempts between the first and the last: a
	 * missing route fails messages by the thousand.
	 */
	void log() {
		this.newlyFailed.log("{} message(s) failed. They stay in the outbox and are tried again; until then nothing "
				+ "of their partition keys is sent. One of them is {}: {}");
		this.blocked.log("{} message(s) have used up their attempts. They and what waits behind them of their "
				+ "partition keys stay in the outbox until an operator retries or skips them. One of them is {}: {}");
		this.dead.log("{} message(s) have used up their attempts and are dead letters now; their partition keys go on "
				+ "without them. One of them is {}: {}");
	}

	/**
	 * How many there are of a kind, and one of them.
	 */
	private static final class Sample {

		private int count;

		private @Nullable StoredMessage example;

		private @Nullable FailedMessage failure;

		void add(StoredMessage message, FailedMessage failed) {
			this.count++;
			if (this.example == null) {
				this.example = message;
				this.failure = failed;
			}
		}

		void log(String text) {
			if (this.example != null && this.failure != null) {
				MessageLog.warn(text, this.count, this.example, this.failure);
			}
		}

	}

}
