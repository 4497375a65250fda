package io.orderedoutbox.relay;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that broker or store was lost, and once that both work, whatever the number
 * of workers that notice.
 */
final class OutageLog {

	private static final Logger logger = LoggerFactory.getLogger(OutageLog.class);

	private @Nullable String reason;

	private @Nullable Long endedAt;

	/**
	 * Broker or store was lost.
	 * @param ex what they said
	 * @param begunAt when the work began that has ended so, by {@link System#nanoTime}
	 */
	synchronized void lost(RuntimeException ex, long begunAt) {
		if (isNews(begunAt)) {
			logger.warn("The relay cannot work: {}. Messages are kept, and it tries again until it can",
					ErrorText.of(ex));
			logger.debug("The cause", ex);
		}
		keep(ex, begunAt);
	}

	/**
	 * Something went wrong that nobody has foreseen.
	 * @param ex what it was
	 * @param begunAt when the work began that has ended so, by {@link System#nanoTime}
	 */
	synchronized void failed(Throwable ex, long begunAt) {
		if (isNews(begunAt)) {
			logger.error("A relay worker failed. Messages are kept, and it tries again until it works", ex);
		}
		keep(ex, begunAt);
	}

	private boolean isNews(long begunAt) {
		return this.reason == null && !isOver(begunAt);
	}

	// Another worker has found that the outage is over, and this one is the last to hear
	// of it
	private boolean isOver(long begunAt) {
		return this.endedAt != null && begunAt - this.endedAt <= 0;
	}

	private void keep(Throwable ex, long begunAt) {
		if (this.reason != null || !isOver(begunAt)) {
			this.reason = ErrorText.of(ex);
		}
	}

	synchronized void works() {
		if (this.reason != null) {
			logger.info("The relay works again");
			this.endedAt = System.nanoTime();
		}
		this.reason = null;
	}

	/**
	 * Why the relay cannot work, or null if it can.
	 */
	synchronized @Nullable String reason() {
		return this.reason;
	}

}
