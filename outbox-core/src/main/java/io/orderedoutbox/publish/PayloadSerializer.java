/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

/**
 * Turns an event into the bytes that are stored and relayed, at the time it is published.
 * Declare a bean of this type to replace the default, {@link JsonPayloadSerializer}.
 */
@FunctionalInterface
public interface PayloadSerializer {

	/**
	 * Serialise an event. Any exception refuses the event at the call.
	 * @param event the event
	 * @return its payload: business data only, no envelope and no class name
	 */
	Payload serialize(Object event);

}
