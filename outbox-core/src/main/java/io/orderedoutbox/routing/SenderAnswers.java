/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.routing;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * What the senders of a relay have said to its workers: which of them cannot be reached,
 * and for which messages each has answered.
 */
final class SenderAnswers {

	private final Duration timeout;

	private final Map<MessageSender, Outage> outages = new ConcurrentHashMap<>();

	// The latest, by the time of sending, of the messages that a sender has answered for
	private final Map<MessageSender, Long> answeredUpTo = new ConcurrentHashMap<>();

	/**
	 * Create it.
	 * @param timeout how long a sender may say nothing
	 */
	SenderAnswers(Duration timeout) {
		this.timeout = timeout;
	}

	Duration timeout() {
		return this.timeout;
	}

	/**
	 * A sender has answered for a message.
	 * @param sentAt when the message was sent, by {@link System#nanoTime}
	 */
	void answered(MessageSender sender, long sentAt) {
		this.outages.remove(sender);
		this.answeredUpTo.merge(sender, sentAt, (one, other) -> (other - one > 0) ? other : one);
	}

	/**
	 * Whether the confirm timeout is over, and the sender has answered no worker for the
	 * oldest message, or one that was sent after it.
	 * @param oldest when the oldest one was sent
	 */
	boolean isSilent(MessageSender sender, long oldest) {
		Long upTo = this.answeredUpTo.get(sender);
		return patience(oldest).isZero() && (upTo == null || upTo - oldest < 0);
	}

	/**
	 * How much of the confirm timeout is left for a message.
	 * @param sentAt when it was sent
	 */
	Duration patience(long sentAt) {
		return Duration.ofNanos(Math.max(0, this.timeout.toNanos() - (System.nanoTime() - sentAt)));
	}

	/**
	 * A sender cannot be reached.
	 */
	void lost(MessageSender sender, TransportException why) {
		long now = System.nanoTime();
		this.outages.merge(sender, new Outage(why, now, 1),
				(before, again) -> new Outage(why, now, before.failures() + 1));
	}

	/**
	 * Why a sender is not to be asked for now, or null if it is.
	 */
	@Nullable TransportException outage(MessageSender sender) {
		Outage outage = this.outages.get(sender);
		return (outage != null && outage.isFresh()) ? outage.exception() : null;
	}

}
