/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.send;

/**
 * Stands between a relay and its {@link MessageSender}. The sender itself stays what it
 * is for the application, a part of its lifecycle for example.
 */
@FunctionalInterface
public interface MessageSenderDecorator {

	/**
	 * Put something before a sender.
	 * @param sender what sends
	 * @return what the relay uses
	 */
	MessageSender decorate(MessageSender sender);

}
