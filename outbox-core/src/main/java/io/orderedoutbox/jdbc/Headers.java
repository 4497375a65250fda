package io.orderedoutbox.jdbc;

import java.util.Map;

import io.orderedoutbox.OutboxPublicationException;
import org.jspecify.annotations.Nullable;
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

	public static Map<String, Object> read(@Nullable String column) {
		return (column != null) ? JSON.readValue(column, TYPE) : Map.of();
	}

}
