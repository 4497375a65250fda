/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.util.List;

import io.orderedoutbox.send.FailureReason;

/**
 * Finds the message because of which the broker has closed the channel, or the sender has
 * thrown what it should not: the broker does not say which it was.
 * <ol>
 * <li>Several messages were in flight: all are in doubt, and are sent again one at a
 * time.</li>
 * <li>One message was in flight: it is the culprit, and has failed. The others are in
 * doubt no longer.</li>
 * <li>None was in flight: no message is to blame.</li>
 * <li>The broker has closed the connection, which other workers may share: the message
 * may be one of theirs. One worker takes its {@link SearchTurn}, and even a single
 * message is in doubt. The other workers end their batches without a failure, and claim
 * nothing until it has found the message. If the connection is closed again, it was
 * closed because of something that this worker has sent.</li>
 * </ol>
 */
final class CulpritSearch {

	private static final int MOST_TESTS = 10;

	private final SendQueue queue;

	private final CircuitBreakers breakers;

	private final Results results;

	private boolean yielded;

	CulpritSearch(SendQueue queue, CircuitBreakers breakers, Results results) {
		this.queue = queue;
		this.breakers = breakers;
		this.results = results;
	}

	/**
	 * Whether this worker has to send nothing more in this batch, or had to: another
	 * worker looks for a message, and would find one of this worker.
	 */
	boolean mustYield() {
		this.yielded = this.yielded || this.breakers.searchTurn().isOfAnother();
		return this.yielded;
	}

	/**
	 * The batch has ended.
	 */
	void end() {
		this.breakers.searchTurn().end();
	}

	/**
	 * The channel was closed.
	 * @param inFlight what was in flight, in the order of sending
	 * @param ofConnection whether the connection was closed with it
	 * @return whether any message of this worker may be to blame
	 */
	boolean closed(List<InFlight> inFlight, String reason, boolean ofConnection) {
		this.queue.closed();
		// A broker that always closes the channel between two tests could be searched for
		// ever
		boolean isEndless = inFlight.stream().anyMatch((sent) -> sent.progress().timesSetAside() > MOST_TESTS);
		if (inFlight.isEmpty() || isEndless) {
			return false;
		}
		boolean mine = !ofConnection || this.breakers.searchTurn().isMine();
		if (!mine && (this.yielded || !this.breakers.searchTurn().take())) {
			this.yielded = true;
			return false;
		}
		if (inFlight.size() > 1 || !mine) {
			this.queue.doubt(inFlight);
		}
		else {
			InFlight culprit = inFlight.get(0);
			this.breakers.refused(culprit.message(), reason);
			this.results.failed(culprit, FailureReason.CHANNEL_CLOSED, reason);
			this.queue.doubtNoMore();
		}
		return true;
	}

}
