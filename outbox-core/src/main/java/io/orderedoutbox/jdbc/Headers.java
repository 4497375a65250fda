package io.orderedoutbox.jdbc;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The format of the {@code headers} column: a JSON object of strings, written with a
 * mapper of our own, so that the application's settings cannot change what is stored.
 */
public final class Headers {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final TypeReference<Map<String, String>> TYPE = new TypeReference<>() {
	};

	private Headers() {
	}

	static @Nullable String write(Map<String, String> headers) {
		return headers.isEmpty() ? null : JSON.writeValueAsString(headers);
	}

	public static Map<String, String> read(@Nullable String column) {
		return (column != null) ? JSON.readValue(column, TYPE) : Map.of();
	}

}
