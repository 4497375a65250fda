/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.orderedoutbox.payload.ReadablePayload;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes messages with all that they carry as JSON, one on each line.
 * <p>
 * What there is no value for is left out. A payload that is UTF-8 is text under
 * {@code payload}, any other is in Base64 under {@code payloadBase64}. What transformers
 * have done to the payload is under {@code payloadEncodings}; if it is gzip alone, the
 * payload is written as it was before, and otherwise as it is stored. Nothing is masked,
 * unless {@link #masking} says so: think of who may read what is written.
 */
public final class JsonLines implements Consumer<MessageContent> {

	private static final String MASKED = "******";

	private static final JsonMapper JSON = JsonMapper.shared();

	private final Writer writer;

	private final boolean isMasking;

	/**
	 * Create what writes all that a message carries.
	 * @param writer where to; it is not closed
	 */
	public JsonLines(Writer writer) {
		this(writer, false);
	}

	private JsonLines(Writer writer, boolean isMasking) {
		this.writer = writer;
		this.isMasking = isMasking;
	}

	/**
	 * Return what writes no payload, and {@value #MASKED} for the value of each header.
	 * @param writer where to; it is not closed
	 * @return what writes
	 */
	public static JsonLines masking(Writer writer) {
		return new JsonLines(writer, true);
	}

	@Override
	public void accept(MessageContent content) {
		MessageSummary message = content.message();
		Map<String, Object> line = new LinkedHashMap<>();
		line.put("messageId", message.messageId());
		line.put("name", message.name());
		line.put("partitionKey", message.partitionKey());
		line.put("exchange", message.exchange());
		line.put("routingKey", message.routingKey());
		line.put("state", message.state().name().toLowerCase(Locale.ROOT));
		line.put("createdAt", message.createdAt().toString());
		if (message.since() != null) {
			line.put("since", message.since().toString());
		}
		if (message.retryAt() != null) {
			line.put("retryAt", message.retryAt().toString());
		}
		if (message.deliverAt() != null) {
			line.put("deliverAt", message.deliverAt().toString());
		}
		line.put("attempts", message.attempts());
		if (message.lastError() != null) {
			line.put("lastError", message.lastError());
		}
		Map<String, Object> headers = new TreeMap<>(content.headers());
		if (this.isMasking) {
			headers.replaceAll((name, value) -> MASKED);
		}
		line.put("headers", headers);
		line.put("contentType", content.contentType());
		if (!this.isMasking) {
			putPayload(line, content);
		}
		try {
			this.writer.write(JSON.writeValueAsString(line) + "\n");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void putPayload(Map<String, Object> line, MessageContent content) {
		String encodings = ReadablePayload.encodings(content.headers());
		byte[] readable = null;
		if (encodings != null) {
			line.put("payloadEncodings", encodings);
			readable = ReadablePayload.whole(content.payload(), encodings);
		}
		putPayload(line, (readable != null) ? readable : content.payload());
	}

	private static void putPayload(Map<String, Object> line, byte[] payload) {
		try {
			line.put("payload", StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString());
		}
		catch (CharacterCodingException ex) {
			line.put("payloadBase64", Base64.getEncoder().encodeToString(payload));
		}
	}

}
