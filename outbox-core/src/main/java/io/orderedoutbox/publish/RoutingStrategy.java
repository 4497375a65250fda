/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

/**
 * Decides where a message goes, and what it carries besides its body, when it is
 * published. Declare a bean of this type to replace the default.
 */
@FunctionalInterface
public interface RoutingStrategy {

	/**
	 * Return the route of a message. It is stored with the message: a later change of
	 * this strategy applies to new messages. Any exception refuses the event at the call.
	 * @param publication the event and what is known of it
	 * @return the route
	 */
	Route route(Publication publication);

}
