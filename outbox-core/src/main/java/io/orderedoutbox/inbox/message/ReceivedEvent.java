/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.cloudevents.CloudEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * What a message says of itself as a CloudEvent.
 * <ol>
 * <li>A {@code content_type} that begins with {@code application/cloudevents}: the body
 * is the whole event, which only the library of CloudEvents reads.</li>
 * <li>Otherwise each attribute is a header, whose name begins with {@code cloudEvents_}
 * or {@code cloudEvents:}, with the one that its {@code specversion} has. This needs no
 * library.</li>
 * <li>Without a {@code specversion} that is known it is no CloudEvent, whatever else
 * there is.</li>
 * </ol>
 *
 * @param version the version of CloudEvents
 * @param type the type of the event
 * @param source who has sent it
 * @param id its id, unique for each source only
 * @param data the data
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ReceivedEvent(@Nullable String version, @Nullable String type, @Nullable String source, @Nullable String id,
		byte[] data) {

	private static final List<String> PREFIXES = List.of("cloudEvents_", "cloudEvents:");

	private static final String VERSION = "specversion";

	private static final String STRUCTURED = "application/cloudevents";

	private static final Set<String> VERSIONS = Set.of("1.0", "0.3");

	// 255 bytes can be stored, also with the number of a part of a batch at their end
	private static final int LONGEST_IDENTITY = 240;

	private static final boolean IS_LIBRARY_THERE = isLibraryThere(ReceivedEvent.class.getClassLoader());

	static boolean isLibraryThere(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent("io.cloudevents.core.message.MessageReader", classLoader);
	}

	/** Whether the body of a message is a whole event, and not only its data. */
	static boolean isStructured(MessageProperties properties) {
		String contentType = properties.getContentType();
		return contentType != null && contentType.toLowerCase(Locale.ROOT).startsWith(STRUCTURED);
	}

	/**
	 * Look at a message.
	 * @throws MessageConversionException if its body is a whole event that cannot be read
	 */
	static ReceivedEvent of(Message message) {
		MessageProperties properties = message.getMessageProperties();
		if (!isStructured(properties)) {
			return new ReceivedEvent(attribute(properties, VERSION), attribute(properties, "type"),
					attribute(properties, "source"), attribute(properties, "id"), message.getBody());
		}
		if (!IS_LIBRARY_THERE) {
			throw new MessageConversionException(
					"is a CloudEvent in structured mode, which needs the libraries cloudevents-core and cloudevents-json-jackson of io.cloudevents on the class path");
		}
		CloudEvent event = CloudEventReader.read(message);
		return new ReceivedEvent(event.getSpecVersion().toString(), event.getType(), event.getSource().toString(),
				event.getId(), (event.getData() != null) ? event.getData().toBytes() : new byte[0]);
	}

	static @Nullable String attribute(MessageProperties properties, String name) {
		Object value = properties.getHeaders().get(prefix(properties) + name);
		return (value != null) ? value.toString() : null;
	}

	/**
	 * Return what the names of headers with attributes begin with: that of the version,
	 * because no event has attributes with both prefixes.
	 */
	static String prefix(MessageProperties properties) {
		return PREFIXES.stream()
			.filter((prefix) -> properties.getHeaders().get(prefix + VERSION) != null)
			.findFirst()
			.orElse(PREFIXES.get(0));
	}

	/**
	 * Return the type.
	 * @throws MessageConversionException if there is none, or the message is no
	 * CloudEvent
	 */
	String requireType() {
		if (this.version == null) {
			throw new MessageConversionException(
					"has no AMQP property 'type', which would say what it is" + ((this.type != null)
							? ", and no header 'cloudEvents_specversion', which would make it a CloudEvent" : ""));
		}
		if (!VERSIONS.contains(this.version)) {
			throw new MessageConversionException(
					"is a CloudEvent of version '%s', but only 1.0 and 0.3 can be read".formatted(this.version));
		}
		if (!StringUtils.hasLength(this.type)) {
			throw new MessageConversionException("is a CloudEvent without a type");
		}
		return this.type;
	}

	/**
	 * Return what no other event has: source and id together. It is never longer than an
	 * inbox can store.
	 * @return the identity, or {@code null} if the message is no CloudEvent, or one
	 * without source or id
	 */
	@Nullable String identity() {
		if (this.version == null || !VERSIONS.contains(this.version) || !StringUtils.hasLength(this.source)
				|| this.source.contains(" ") || !StringUtils.hasLength(this.id)) {
			return null;
		}
		// An id may have a space, and a source has none: so this is unambiguous
		byte[] identity = (this.source + " " + this.id).getBytes(StandardCharsets.UTF_8);
		return (identity.length <= LONGEST_IDENTITY) ? this.source + " " + this.id
				: "sha-256 " + OrderingKey.digest(identity);
	}

}
