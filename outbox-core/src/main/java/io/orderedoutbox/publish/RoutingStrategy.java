package io.orderedoutbox.publish;

import io.orderedoutbox.Destination;

/**
 * Decides where messages of a type go, when they are published. Declare a bean of this
 * type to replace the default.
 */
@FunctionalInterface
public interface RoutingStrategy {

	/**
	 * Return the destination for a message. Any exception refuses the event at the call.
	 * @param messageName the name of the message
	 * @param eventType the class of the event
	 * @return the destination
	 */
	Destination route(String messageName, Class<?> eventType);

}
