/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import org.springframework.util.Assert;

/**
 * {@link PayloadSerializer} that writes JSON with the application's {@link JsonMapper}.
 * <p>
 * It leaves out what the author of the event has not written: what
 * {@link java.util.EventObject}, {@link org.springframework.context.ApplicationEvent} and
 * the other events of Spring declare, what an exception of the application inherits (its
 * message, its cause, its stack trace), and what
 * {@link org.springframework.core.ResolvableTypeProvider} returns. An annotation of
 * Jackson, also one of a mix-in, brings it back, and so does an override that returns a
 * simple value, such as a text, or belongs to a field of the author. The mapper itself
 * stays as it is.
 */
public final class JsonPayloadSerializer implements PayloadSerializer {

	private static final String CONTENT_TYPE = "application/json";

	// Brackets, and the blank that a mapper may put between them
	private static final int LONGEST_EMPTY_BODY = 3;

	private final EmptyTypes empty = new EmptyTypes();

	private final JsonMapper mapper;

	/**
	 * Create a serializer.
	 * @param mapper the mapper to use
	 */
	public JsonPayloadSerializer(JsonMapper mapper) {
		this.mapper = mapper.rebuild()
			.accessorNaming(new AuthoredProperties(mapper.serializationConfig().getAccessorNaming()))
			.addModule(new SimpleModule("ordered-outbox").setSerializerModifier(this.empty))
			.build();
	}

	/**
	 * Serialise an event.
	 * @param event the event
	 * @return its properties as JSON
	 * @throws IllegalArgumentException if its class has none
	 * @throws tools.jackson.core.JacksonException if Jackson cannot write it
	 */
	@Override
	public Payload serialize(Object event) {
		byte[] body = this.mapper.writeValueAsBytes(event);
		Assert.isTrue(!isEmpty(body) || !hasNothingToSend(event.getClass()),
				"its class has nothing to send, and the body would be {}: give it a record component, a public getter or a field with @JsonProperty (what Spring's ApplicationEvent declares is not sent)");
		return new Payload(body, CONTENT_TYPE);
	}

	private static boolean isEmpty(byte[] body) {
		return body.length <= LONGEST_EMPTY_BODY && body[0] == '{';
	}

	// An annotation can have the event written as another type
	private boolean hasNothingToSend(Class<?> type) {
		return this.empty.contain(type)
				|| this.empty.contain(this.mapper._serializationContext().findRootValueSerializer(type).handledType());
	}

}
