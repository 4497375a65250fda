package io.orderedoutbox.monitor;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

import io.orderedoutbox.admin.MessageContent;

/**
 * One message with what it carries.
 *
 * @param message the message
 * @param contentType the type of the payload
 * @param payloadSize the size of the payload in bytes
 * @param payload the beginning of the payload, or {@value #MASKED} where payloads are not
 * shown
 * @param encoding how the payload is written: utf-8, base64 or masked
 * @param truncated whether the payload is longer than what is shown of it
 * @param headers the headers of its own, with {@value #MASKED} as their values where
 * payloads are not shown
 */
public record ContentDescriptor(MessageDescriptor message, String contentType, long payloadSize, String payload,
		String encoding, boolean truncated, Map<String, Object> headers) {

	/**
	 * Stands for what is not shown.
	 */
	public static final String MASKED = "******";

	/**
	 * How many bytes of a payload are shown.
	 */
	public static final int MAX_PAYLOAD = 64 * 1024;

	static ContentDescriptor masked(MessageContent content) {
		Map<String, Object> headers = new TreeMap<>(content.headers());
		headers.replaceAll((name, value) -> MASKED);
		return new ContentDescriptor(MessageDescriptor.of(content.message(), null), content.contentType(),
				content.payloadSize(), MASKED, "masked", false, headers);
	}

	static ContentDescriptor shown(MessageContent content) {
		boolean truncated = content.payloadSize() > content.payload().length;
		CharBuffer text = CharBuffer.allocate(content.payload().length);
		boolean isText = isText(content.payload(), text, truncated);
		String payload = isText ? text.flip().toString() : Base64.getEncoder().encodeToString(content.payload());
		return new ContentDescriptor(MessageDescriptor.of(content.message(), null), content.contentType(),
				content.payloadSize(), payload, isText ? "utf-8" : "base64", truncated,
				new TreeMap<>(content.headers()));
	}

	// A character that was cut in two at the end does not make the payload binary
	private static boolean isText(byte[] payload, CharBuffer text, boolean truncated) {
		CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
		CoderResult result = decoder.decode(ByteBuffer.wrap(payload), text, !truncated);
		return !result.isError();
	}

}
