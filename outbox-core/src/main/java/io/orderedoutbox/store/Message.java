package io.orderedoutbox.store;

import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;

/**
 * An event as it is stored and relayed. It never changes after publication.
 *
 * @param messageId the id that every delivery carries
 * @param name the semantic type
 * @param partitionKey the key whose messages stay in order, empty for none
 * @param destination where the message goes
 * @param contentType the MIME type of the payload
 * @param payload the body, not to be modified
 * @param headers the application's own headers
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Message(UUID messageId, String name, String partitionKey, Destination destination, String contentType,
		byte[] payload, Map<String, String> headers) {

	/**
	 * Create a message.
	 */
	public Message {
		headers = Map.copyOf(headers);
	}

}
