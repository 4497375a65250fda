/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.relay.batch.RelayBatch;
import io.orderedoutbox.relay.batch.RelayBatch.Failed;
import io.orderedoutbox.relay.RelayListener;

/**
 * Counts failed attempts to send a message, and remembers the last few messages that
 * failed: which and why, and nothing of what they carry.
 */
public final class RecentFailures implements RelayListener {

	private static final int REMEMBERED = 3;

	private final Map<UUID, Failure> last = new LinkedHashMap<>();

	private long total;

	@Override
	public synchronized void batchEnded(RelayBatch batch) {
		// What is lost with a claim is sent and counted again
		if (!batch.lost()) {
			batch.failed().forEach(this::remember);
		}
	}

	private void remember(Failed failed) {
		if (failed.reason() == FailureReason.PAUSED || failed.reason() == FailureReason.UNAVAILABLE) {
			return;
		}
		this.total++;
		UUID id = failed.message().message().messageId();
		this.last.remove(id);
		this.last.put(id, new Failure(System.nanoTime(), failed.consequence().error()));
		if (this.last.size() > REMEMBERED) {
			this.last.remove(this.last.keySet().iterator().next());
		}
	}

	synchronized Report report() {
		long now = System.nanoTime();
		List<FailedMessage> latestFirst = new ArrayList<>();
		this.last.forEach((id, failure) -> latestFirst.add(0,
				new FailedMessage(id.toString(), Duration.ofNanos(now - failure.nanoTime()), failure.error())));
		return new Report(this.total, latestFirst);
	}

	private record Failure(long nanoTime, String error) {

	}

	/**
	 * What has failed since the application began.
	 *
	 * @param attempts how many attempts
	 * @param last the last messages, the latest first
	 */
	record Report(long attempts, List<FailedMessage> last) {

	}

	/**
	 * A message that has failed.
	 *
	 * @param messageId its id
	 * @param age how long ago that was
	 * @param error what went wrong
	 */
	record FailedMessage(String messageId, Duration age, String error) {

	}

}
