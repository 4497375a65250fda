/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;

import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.relay.batch.ErrorText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that broker or store was lost, and once that both work, however many workers
 * notice.
 * <p>
 * An outage ends with work that was begun after the last failure. Published messages
 * prove that everything works. A worker that found nothing to do proves it only if no
 * other worker is at work: that one may have claimed just what cannot be done.
 */
final class OutageLog {

	private static final Logger logger = LoggerFactory.getLogger(OutageLog.class);

	private @Nullable String reason;

	private long lostAt;

	private long lostSince;

	private @Nullable Long endedAt;

	private int atWork;

	/**
	 * A worker begins.
	 * @return when, by {@link System#nanoTime}
	 */
	synchronized long begin() {
		this.atWork++;
		return System.nanoTime();
	}

	/**
	 * A worker that has begun ends, well or not.
	 */
	synchronized void end() {
		this.atWork--;
	}

	/**
	 * Broker or store was lost.
	 * @param ex what they said
	 * @param begunAt when the work began that has ended so, by {@link System#nanoTime}
	 */
	synchronized void lost(Throwable ex, long begunAt) {
		if (isNews(begunAt)) {
			String text = ErrorText.inWords(ex);
			logger.atWarn()
				.addKeyValue("state", "fails")
				.addKeyValue("error", text)
				.log("The relay cannot work: {}. Messages are kept, and it tries again until it can", text);
			logger.debug("The cause", ex);
		}
		keep(ex, begunAt);
	}

	/**
	 * Something went wrong that will not pass by itself.
	 * @param ex what it was
	 * @param begunAt when the work began that has ended so, by {@link System#nanoTime}
	 */
	synchronized void failed(Throwable ex, long begunAt) {
		if (isNews(begunAt)) {
			logger.atError()
				.setCause(ex)
				.addKeyValue("state", "fails")
				.addKeyValue("error", ErrorText.of(ex))
				.log("A relay worker failed. Messages are kept, and it tries again until it works");
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
			this.lostAt = System.nanoTime();
			this.lostSince = (this.reason != null) ? this.lostSince : this.lostAt;
			this.reason = ErrorText.inWords(ex);
		}
	}

	/**
	 * Broker and store have done what they were asked for. To be said before the
	 * {@link #end()}.
	 * @param begunAt when that work began
	 * @param published whether there were messages to publish
	 * @return whether the relay works, as far as is known
	 */
	synchronized boolean works(long begunAt, boolean published) {
		if (this.reason != null && begunAt - this.lostAt > 0 && (published || this.atWork == 1)) {
			logger.atInfo().addKeyValue("state", "works").log("The relay works again");
			this.endedAt = System.nanoTime();
			this.reason = null;
		}
		return this.reason == null;
	}

	/**
	 * No worker has been at work for a while, so that nothing is known any more.
	 */
	synchronized void forget() {
		this.reason = null;
	}

	/**
	 * Why the relay cannot work, or null if it can.
	 */
	synchronized @Nullable Outage outage() {
		return (this.reason != null) ? new Outage(this.reason, Duration.ofNanos(System.nanoTime() - this.lostSince))
				: null;
	}

}
