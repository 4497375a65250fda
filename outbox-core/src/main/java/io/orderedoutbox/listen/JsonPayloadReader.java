/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.lang.reflect.Type;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@link PayloadReader} that reads JSON with the application's {@link JsonMapper}, except
 * that it ignores what the type does not have: a message may be older than the type.
 */
public final class JsonPayloadReader implements PayloadReader {

	private final JsonMapper mapper;

	/**
	 * Create a reader.
	 * @param mapper the mapper to use
	 */
	public JsonPayloadReader(JsonMapper mapper) {
		this.mapper = mapper.rebuild().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
	}

	@Override
	public Object read(byte[] payload, Type type) {
		return this.mapper.readValue(payload, this.mapper.constructType(type));
	}

}
