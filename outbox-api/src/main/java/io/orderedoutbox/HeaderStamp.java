package io.orderedoutbox;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * A header of the application's own that travels with a message. Give one stamp for each
 * header.
 *
 * @param name the header name, at most 255 bytes in UTF-8; {@code x-message-id} and the
 * names that the broker interprets ({@code CC}, {@code BCC}) are refused
 * @param value the header value
 */
public record HeaderStamp(String name, String value) implements Stamp {

	/**
	 * Name of the header that carries the message id, set by the outbox.
	 */
	public static final String MESSAGE_ID_HEADER = "x-message-id";

	// The broker reads routing keys from CC and BCC and closes the channel if they are
	// text
	private static final Set<String> RESERVED = Set.of(MESSAGE_ID_HEADER, "cc", "bcc");

	/**
	 * Create a stamp.
	 * @throws IllegalArgumentException if the name is empty, too long or reserved, or the
	 * value is null, or one of them cannot be encoded as UTF-8
	 */
	public HeaderStamp {
		Require.that(name != null && !name.isBlank(), "'name' must not be empty");
		Require.that(name.getBytes(StandardCharsets.UTF_8).length <= 255,
				() -> "Header name '" + name + "' must not be longer than 255 bytes");
		Require.that(!RESERVED.contains(name.toLowerCase(Locale.ROOT)),
				() -> "Header name '" + name + "' is reserved: choose another");
		Require.that(value != null, () -> "Value of header '" + name + "' must not be null");
		Require.encodable(name, () -> "Name of header '" + name + "'");
		Require.encodable(value, () -> "Value of header '" + name + "'");
	}

	/**
	 * Return a stamp for the given header.
	 * @param name the header name
	 * @param value the header value
	 * @return the stamp
	 */
	public static HeaderStamp of(String name, String value) {
		return new HeaderStamp(name, value);
	}

}
