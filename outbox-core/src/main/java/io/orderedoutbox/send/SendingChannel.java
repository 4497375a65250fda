/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.send;

import java.time.Duration;

import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * A channel to the broker, used by the one thread that opened it. Each message that is
 * sent has one outcome, unless the channel ends before. After the end of a channel the
 * sender sends nothing more of what was given to it.
 */
public interface SendingChannel {

	/**
	 * Send a message without waiting for its outcome. It leaves with the next wait for an
	 * outcome that ends without one, if not before. A message that cannot be sent for a
	 * reason of its own gets a failed outcome.
	 * @param message the message
	 * @throws TransportException if the broker was lost
	 * @throws ChannelRefusedException if the broker has closed the channel
	 */
	void send(StoredMessage message);

	/**
	 * Wait for the next outcome of a message sent on this channel.
	 * @param timeout how long to wait; zero for an outcome that is known already. However
	 * short another wait is, what was sent leaves if it ends without an outcome
	 * @return the outcome, or {@code null} if there was none in that time
	 * @throws TransportException if the broker was lost; the outcome of what is in flight
	 * is unknown
	 * @throws ChannelRefusedException if the broker closed the channel because of
	 * something that was sent; the outcome of what is in flight is unknown
	 */
	@Nullable Outcome nextOutcome(Duration timeout);

}
