/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

/**
 * Gives an event type the name that its messages carry. Declare a bean of this type to
 * replace the default, {@link AnnotatedMessageNamingStrategy}.
 */
@FunctionalInterface
public interface MessageNamingStrategy {

	/**
	 * Return the name for an event type. Anything that does not match
	 * {@link AnnotatedMessageNamingStrategy#PATTERN} is refused when an event is
	 * published, and so is the event if this method throws an exception.
	 * @param eventType the class of the event
	 * @return the name
	 */
	String nameOf(Class<?> eventType);

}
