package io.orderedoutbox.rabbit;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;

import org.springframework.util.Assert;

/**
 * The attributes that make a message a CloudEvent in binary content mode: a header for
 * each. The attribute {@code datacontenttype} is the AMQP property {@code content_type},
 * and the data is the body.
 * <p>
 * The binding of CloudEvents is one for AMQP 1.0, and has them in application properties,
 * which RabbitMQ makes of headers. Of the two prefixes that it knows, this is the one
 * that JMS can read as well. The headers are written here and not by the library of
 * CloudEvents, which would copy each event twice.
 */
public final class CloudEventAttributes {

	/**
	 * What the names of the headers begin with.
	 */
	static final String PREFIX = "cloudEvents_";

	// The other prefix of the binding
	private static final String OTHER_PREFIX = "cloudEvents:";

	private static final String VERSION = "1.0";

	private static final String SUBJECT = "subject";

	private static final String SCHEMA = "dataschema";

	private static final Set<String> OWN = Set.of("specversion", "id", "type", "source", "time", "datacontenttype",
			"partitionkey");

	private static final Pattern NAME = Pattern.compile("[a-z0-9]+");

	private static final Pattern URI_CHARACTERS = Pattern.compile("\\p{ASCII}+");

	private final String source;

	/**
	 * Create attributes.
	 * @param source who sends the events: a URI reference
	 * @throws IllegalArgumentException if it is none
	 */
	public CloudEventAttributes(String source) {
		requireReference(source);
		this.source = source;
	}

	private static URI requireReference(String text) {
		try {
			Assert.isTrue(URI_CHARACTERS.matcher(text).matches(),
					"it must not be empty, and have ASCII characters only");
			return new URI(text);
		}
		catch (URISyntaxException ex) {
			throw new IllegalArgumentException(ex.getReason() + " at index " + ex.getIndex(), ex);
		}
	}

	/**
	 * Add the attributes to the headers of a message. They win over headers that the
	 * message has under their names.
	 * @param headers the headers
	 * @param stored the message
	 * @param isKeyTold whether consumers may know the partition key
	 */
	void addTo(Map<String, Object> headers, StoredMessage stored, boolean isKeyTold) {
		Message message = stored.message();
		headers.put(PREFIX + "specversion", VERSION);
		headers.put(PREFIX + "id", message.messageId().toString());
		headers.put(PREFIX + "type", message.name());
		headers.put(PREFIX + "source", this.source);
		// As text: the timestamp of AMQP has whole seconds
		headers.put(PREFIX + "time", stored.createdAt().toString());
		if (isKeyTold && !message.partitionKey().isEmpty()) {
			headers.put(PREFIX + "partitionkey", message.partitionKey());
		}
	}

	/**
	 * Refuse a header of the application that would be an attribute, and cannot be one.
	 * @param name the name of the header
	 * @param value its value
	 * @throws IllegalArgumentException if it has the name of an attribute that the outbox
	 * sets, or another one that no attribute can have, or a value that it cannot have
	 */
	static void requireAttribute(String name, Object value) {
		Assert.isTrue(!name.startsWith(OTHER_PREFIX),
				() -> "header '%s' would be a second name of an attribute: begin it with '%s'".formatted(name, PREFIX));
		if (!name.startsWith(PREFIX)) {
			return;
		}
		String attribute = name.substring(PREFIX.length());
		Assert.isTrue(!OWN.contains(attribute),
				() -> "header '%s' is an attribute that the outbox sets itself: leave it out".formatted(name));
		Assert.isTrue(NAME.matcher(attribute).matches(),
				() -> "header '%s' is no attribute of a CloudEvent: after '%s' it must have lower-case letters a to z and digits only"
					.formatted(name, PREFIX));
		if (attribute.equals(SUBJECT) || attribute.equals(SCHEMA)) {
			requireText(name, value, attribute.equals(SCHEMA));
		}
	}

	private static void requireText(String name, Object value, boolean isUri) {
		Assert.isTrue(value instanceof String text && !text.isEmpty(),
				() -> "header '%s' must be text, and not empty".formatted(name));
		if (isUri) {
			try {
				Assert.isTrue(requireReference(value.toString()).isAbsolute(), "it has no scheme");
			}
			catch (IllegalArgumentException ex) {
				throw new IllegalArgumentException(
						"header '%s' must be an absolute URI, but is '%s': %s".formatted(name, value, ex.getMessage()),
						ex);
			}
		}
	}

}
