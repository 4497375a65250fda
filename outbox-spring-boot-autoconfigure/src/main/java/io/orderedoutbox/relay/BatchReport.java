package io.orderedoutbox.relay;

import java.time.Duration;

import io.orderedoutbox.relay.RelayBatch.Durations;
import io.orderedoutbox.store.Claim;
import org.jspecify.annotations.Nullable;

/**
 * Takes the times of a batch while it is under way.
 */
final class BatchReport {

	private final Claim claim;

	private final long beganAt;

	private final long claimedAt = System.nanoTime();

	private @Nullable Long sentAt;

	private boolean completed;

	BatchReport(Claim claim, long beganAt) {
		this.claim = claim;
		this.beganAt = beganAt;
	}

	int messages() {
		return this.claim.runs().stream().mapToInt((run) -> run.messages().size()).sum();
	}

	/**
	 * Nothing more is sent.
	 */
	void sent() {
		this.sentAt = System.nanoTime();
	}

	/**
	 * What came of it is written down.
	 */
	void completed() {
		this.completed = true;
	}

	RelayBatch end(int worker, Results results) {
		long now = System.nanoTime();
		long sent = (this.sentAt != null) ? this.sentAt : now;
		return new RelayBatch(worker, this.claim.runs().size(), messages(), results.confirmed(), results.failures(),
				!this.completed, new Durations(Duration.ofNanos(this.claimedAt - this.beganAt),
						Duration.ofNanos(sent - this.claimedAt), Duration.ofNanos(now - sent)),
				this.claim.time());
	}

}
