/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

/**
 * Decides which application events go to the outbox. Declare a bean of this type to
 * replace the default, {@link AnnotatedPublicationPolicy}.
 * <p>
 * The library asks the policy about every event that the application publishes, Spring's
 * own events included, on the publishing thread: answer fast. The policy selects; it does
 * not forbid. It is not asked where the caller has named the outbox: about what is passed
 * to {@link io.orderedoutbox.Outbox#publish}, and about what is published in an
 * {@link io.orderedoutbox.OutboxEnvelope}. To refuse such events declare an
 * {@link io.orderedoutbox.Outbox} of your own.
 */
@FunctionalInterface
public interface PublicationPolicy {

	/**
	 * Return whether the event is an outbox message.
	 * @param event the event, never an envelope
	 * @return {@code true} to store it in the outbox
	 */
	boolean isOutboxMessage(Object event);

}
