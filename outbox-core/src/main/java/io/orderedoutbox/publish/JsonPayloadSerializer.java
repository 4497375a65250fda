package io.orderedoutbox.publish;

import tools.jackson.databind.json.JsonMapper;

/**
 * {@link PayloadSerializer} that writes JSON with the application's {@link JsonMapper}.
 */
public final class JsonPayloadSerializer implements PayloadSerializer {

	private static final String CONTENT_TYPE = "application/json";

	private final JsonMapper mapper;

	/**
	 * Create a serializer.
	 * @param mapper the mapper to use
	 */
	public JsonPayloadSerializer(JsonMapper mapper) {
		this.mapper = mapper;
	}

	@Override
	public Payload serialize(Object event) {
		return new Payload(this.mapper.writeValueAsBytes(event), CONTENT_TYPE);
	}

}
