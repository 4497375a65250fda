/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

/**
 * Is told what became of messages. Declare a bean of this type to be told; all of them
 * are.
 */
@FunctionalInterface
public interface InboxListener {

	/**
	 * A message was delivered to a consumer. Called on the thread of the listener, after
	 * the transaction has ended. What it throws fails the delivery.
	 * @param consumer the name of the consumer
	 * @param outcome what became of the message
	 */
	void delivered(String consumer, InboxOutcome outcome);

}
