/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.send;

import java.util.function.Consumer;

import org.springframework.context.SmartLifecycle;

/**
 * Sends messages to a broker. Declare a bean of this type to replace the default, which
 * sends to RabbitMQ.
 */
@FunctionalInterface
public interface MessageSender {

	/**
	 * The phase of a sender that has a life cycle: it starts before the relay, and stops
	 * after it.
	 */
	int PHASE = SmartLifecycle.DEFAULT_PHASE - 4097;

	/**
	 * Open a channel for the calling thread, use it, and close it. Messages of one
	 * partition key that are given to one channel reach the broker in the order given.
	 * @param work what to do with the channel
	 * @throws TransportException if the broker cannot be reached, or was lost on the way
	 * @throws ChannelRefusedException if the broker closed the channel because of
	 * something that was sent
	 */
	void withChannel(Consumer<SendingChannel> work);

}
