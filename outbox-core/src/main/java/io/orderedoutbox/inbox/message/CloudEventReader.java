/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import java.util.Base64;
import java.util.Date;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.cloudevents.CloudEvent;
import io.cloudevents.SpecVersion;
import io.cloudevents.core.data.BytesCloudEventData;
import io.cloudevents.core.format.EventFormat;
import io.cloudevents.core.message.impl.BaseGenericBinaryMessageReaderImpl;
import io.cloudevents.core.provider.EventFormatProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.util.StringUtils;

/**
 * Reads messages as CloudEvents, with the library of CloudEvents, which must be on the
 * class path.
 */
final class CloudEventReader extends BaseGenericBinaryMessageReaderImpl<String, Object> {

	private static final String CONTENT_TYPE = "content-type";

	private static final String BATCH = "application/cloudevents-batch";

	private final MessageProperties properties;

	private final String prefix;

	private CloudEventReader(String version, Message message) {
		super(SpecVersion.parse(version),
				(message.getBody().length > 0) ? BytesCloudEventData.wrap(message.getBody()) : null);
		this.properties = message.getMessageProperties();
		this.prefix = ReceivedEvent.prefix(this.properties);
	}

	/**
	 * Read a message.
	 * @throws MessageConversionException if it is no CloudEvent, or none that is valid
	 */
	static CloudEvent read(Message message) {
		Supplier<@Nullable CloudEvent> reader = reader(message);
		CloudEvent event;
		try {
			event = reader.get();
		}
		// Formats throw what they like
		catch (RuntimeException ex) {
			throw new MessageConversionException("is no valid CloudEvent (%s)".formatted(ex.getMessage()), ex);
		}
		if (event == null) {
			throw new MessageConversionException("is no valid CloudEvent (null)");
		}
		if (!StringUtils.hasLength(event.getId()) || event.getSource().toString().isEmpty()
				|| !StringUtils.hasLength(event.getType())) {
			throw new MessageConversionException("is a CloudEvent with an empty id, source or type");
		}
		return event;
	}

	private static Supplier<@Nullable CloudEvent> reader(Message message) {
		MessageProperties properties = message.getMessageProperties();
		if (ReceivedEvent.isStructured(properties)) {
			EventFormat format = format(properties.getContentType());
			return () -> format.deserialize(message.getBody());
		}
		String version = ReceivedEvent.attribute(properties, "specversion");
		if (version == null) {
			throw new MessageConversionException("is no CloudEvent: it has no header 'cloudEvents_specversion'");
		}
		return () -> new CloudEventReader(version, message).toEvent();
	}

	// The library compares letters as they are
	private static EventFormat format(String contentType) {
		String mediaType = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
		EventFormat format = EventFormatProvider.getInstance().resolveFormat(mediaType);
		if (format == null) {
			throw new MessageConversionException(unreadable(mediaType).formatted(contentType));
		}
		return format;
	}

	private static String unreadable(String mediaType) {
		return mediaType.startsWith(BATCH) ? "is a batch of CloudEvents ('%s'): each must be a message of its own"
				: "is a CloudEvent in structured mode ('%s'), for which there is no format on the class path: for JSON add io.cloudevents:cloudevents-json-jackson";
	}

	@Override
	protected boolean isContentTypeHeader(String key) {
		return key.equals(CONTENT_TYPE);
	}

	@Override
	protected boolean isCloudEventsHeader(String key) {
		return key.startsWith(this.prefix);
	}

	@Override
	protected String toCloudEventsKey(String key) {
		return key.substring(this.prefix.length());
	}

	@Override
	protected void forEachHeader(BiConsumer<String, Object> each) {
		String contentType = this.properties.getContentType();
		if (contentType != null) {
			each.accept(CONTENT_TYPE, contentType);
		}
		this.properties.getHeaders().forEach((name, value) -> {
			if (!name.equals(CONTENT_TYPE)) {
				each.accept(name, value);
			}
		});
	}

	// Attributes may have types of AMQP or be text
	@Override
	protected String toCloudEventsValue(Object value) {
		if (value instanceof Date date) {
			return date.toInstant().toString();
		}
		return (value instanceof byte[] bytes) ? Base64.getEncoder().encodeToString(bytes) : value.toString();
	}

}
