/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.util.List;

/**
 * The exchanges that messages are published to, and the queue or queues that get all of
 * them. Messages of the same key go to any of the exchanges.
 */
public interface Topology {

	/**
	 * Return the exchanges, each bound for every routing key that messages have.
	 * @return the names
	 */
	List<String> exchanges();

	/**
	 * Return the queue.
	 * @return the name, or what the names of all queues begin with
	 */
	String queue();

	/**
	 * Delete an exchange, and its binding with it.
	 * @param exchange the name
	 */
	void deleteExchange(String exchange);

	/**
	 * Delete the binding of an exchange: what is published to it is unroutable.
	 * @param exchange the name
	 */
	void deleteBinding(String exchange);

	/**
	 * Let a queue reject what is published while it holds that many messages.
	 * @param length the greatest number of messages
	 */
	void rejectPublishBeyond(int length);

	/**
	 * Bind one more queue of the same type, which takes a message or two and rejects all
	 * others: they are nacked, although the other queue has got them.
	 * @param exchange the exchange that it is bound to
	 */
	void bindFullQueue(String exchange);

	/**
	 * Declare all exchanges and bindings, and let the one queue take everything again.
	 */
	void restore();

}
