/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.Map;

import io.orderedoutbox.OutboxPublicationException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The format of the {@code headers} column: a JSON object of text, truth values and
 * numbers, written with a mapper of our own, so that the application's settings cannot
 * change what is stored.
 */
public final class Headers {

	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(DeserializationFeature.USE_LONG_FOR_INTS)
		.build();

	private static final TypeReference<Map<String, Object>> TYPE = new TypeReference<>() {
	};

	// What a MEDIUMTEXT holds in the worst case: without a strict mode the database would
	// cut what is longer
	private static final int MOST_CHARACTERS = ((1 << 24) - 1) / 3;

	private Headers() {
	}

	static @Nullable String write(Map<String, Object> headers) {
		if (headers.isEmpty()) {
			return null;
		}
		String json = JSON.writeValueAsString(headers);
		if (json.length() > MOST_CHARACTERS) {
			throw new OutboxPublicationException(
					"The headers of a message have %d characters, but there is room for %d: put what is large into the event"
						.formatted(json.length(), MOST_CHARACTERS));
		}
		return json;
	}

	/**
	 * Read headers.
	 * @param column the column
	 * @return the headers
	 * @throws JacksonException if it is no JSON object
	 * @throws IllegalArgumentException if a value is neither text, nor a truth value, nor
	 * a number that fits
	 */
	public static Map<String, Object> read(@Nullable String column) {
		if (column == null) {
			return Map.of();
		}
		Map<String, Object> headers = JSON.readValue(column, TYPE);
		headers.forEach(Headers::require);
		return headers;
	}

	// The broker would take what is nested, and null; the library has never stored it
	private static void require(String name, Object value) {
		if (!(value instanceof String || value instanceof Boolean || value instanceof Long
				|| value instanceof Double)) {
			throw new IllegalArgumentException(
					"Header '%s' must be text, a truth value, or a number that fits into 64 bits".formatted(name));
		}
	}

}
