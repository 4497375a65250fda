/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.payload.ReadablePayload;

/**
 * One message with what it carries.
 *
 * @param message the message
 * @param contentType the type of the payload
 * @param payloadSize the size of the payload in bytes, as it is stored
 * @param payload the beginning of the payload, decompressed where gzip has compressed it,
 * or {@value #MASKED} where payloads are not shown, or what other transformers have done
 * to it
 * @param encoding how the payload is written: utf-8, base64, masked, or encoded if it is
 * not shown because of transformers
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
		String encodings = ReadablePayload.encodings(content.headers());
		return (encodings != null) ? decoded(content, encodings) : asStored(content);
	}

	// Neither secrets nor storages are asked for the sake of a page
	private static ContentDescriptor decoded(MessageContent content, String encodings) {
		byte[] readable = ReadablePayload.beginning(content.payload(), encodings, MAX_PAYLOAD);
		if (readable == null) {
			return new ContentDescriptor(MessageDescriptor.of(content.message(), null), content.contentType(),
					content.payloadSize(), "(%s: not shown)".formatted(encodings), "encoded", false,
					new TreeMap<>(content.headers()));
		}
		boolean isWhole = content.payloadSize() <= content.payload().length && readable.length < MAX_PAYLOAD;
		ContentDescriptor shown = asStored(new MessageContent(content.message(), content.contentType(),
				content.headers(), readable, isWhole ? readable.length : Long.MAX_VALUE));
		return new ContentDescriptor(shown.message(), shown.contentType(), content.payloadSize(), shown.payload(),
				shown.encoding(), shown.truncated(), shown.headers());
	}

	private static ContentDescriptor asStored(MessageContent content) {
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
