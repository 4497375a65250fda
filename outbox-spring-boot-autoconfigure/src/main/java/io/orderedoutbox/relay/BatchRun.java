package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.function.Consumer;

import io.orderedoutbox.relay.RelayBatch.Durations;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Run;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch under way, from the claim to what came of it, and how long each part takes.
 */
final class BatchRun {

	private static final Logger logger = LoggerFactory.getLogger(BatchRun.class);

	private final Claim claim;

	private final long beganAt;

	private final Preparation preparation;

	private final long claimedAt = System.nanoTime();

	private @Nullable Long sentAt;

	private boolean completed;

	BatchRun(Claim claim, long beganAt, Preparation preparation) {
		this.claim = claim;
		this.beganAt = beganAt;
		this.preparation = preparation;
	}

	private int messages() {
		return Run.count(this.claim.runs());
	}

	/**
	 * Send a batch, complete it, and tell what came of it, however it ends.
	 * @param number of the worker
	 */
	RelayBatch relay(int number, Dispatch dispatch, MessageSender sender, Consumer<RelayBatch> listener) {
		RelayBatch ended;
		try {
			dispatch.through(sender);
			this.sentAt = System.nanoTime();
			this.completed = complete(dispatch);
		}
		finally {
			ended = end(number, dispatch.results());
			listener.accept(ended);
		}
		return ended;
	}

	private boolean complete(Dispatch dispatch) {
		if (dispatch.isClaimLost()) {
			logger.debug("A claim was lost while its messages were sent: whoever has them now sends them again");
			return false;
		}
		Results results = dispatch.results();
		if (!results.isEmpty()) {
			if (results.failures().isEmpty()) {
				this.preparation.begin(this.claim.preparation(results.published()));
			}
			this.claim.complete(results.published(), results.failed());
			results.log();
		}
		return true;
	}

	private RelayBatch end(int worker, Results results) {
		long now = System.nanoTime();
		long sent = (this.sentAt != null) ? this.sentAt : now;
		return new RelayBatch(worker, this.claim.runs().size(), messages(), results.confirmed(), results.failures(),
				!this.completed, new Durations(Duration.ofNanos(this.claimedAt - this.beganAt),
						Duration.ofNanos(sent - this.claimedAt), Duration.ofNanos(now - sent)),
				this.claim.time());
	}

}
