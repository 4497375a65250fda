package io.orderedoutbox.inbox.message;

import java.util.Base64;
import java.util.Date;
import java.util.function.BiConsumer;

import io.cloudevents.CloudEvent;
import io.cloudevents.SpecVersion;
import io.cloudevents.core.data.BytesCloudEventData;
import io.cloudevents.core.format.EventDeserializationException;
import io.cloudevents.core.message.MessageReader;
import io.cloudevents.core.message.impl.BaseGenericBinaryMessageReaderImpl;
import io.cloudevents.core.message.impl.GenericStructuredMessageReader;
import io.cloudevents.core.message.impl.MessageUtils;
import io.cloudevents.rw.CloudEventRWException;

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

	private final MessageProperties properties;

	private CloudEventReader(SpecVersion version, Message message) {
		super(version, (message.getBody().length > 0) ? BytesCloudEventData.wrap(message.getBody()) : null);
		this.properties = message.getMessageProperties();
	}

	/**
	 * Read a message.
	 * @throws MessageConversionException if it is no CloudEvent, or none that is valid
	 */
	static CloudEvent read(Message message) {
		MessageProperties properties = message.getMessageProperties();
		if (!ReceivedEvent.isStructured(properties) && ReceivedEvent.attribute(properties, "specversion") == null) {
			throw new MessageConversionException("is no CloudEvent: it has no header 'cloudEvents_specversion'");
		}
		try {
			CloudEvent event = reader(message).toEvent();
			if (!StringUtils.hasLength(event.getId()) || event.getSource().toString().isEmpty()
					|| !StringUtils.hasLength(event.getType())) {
				throw new MessageConversionException("is a CloudEvent with an empty id, source or type");
			}
			return event;
		}
		catch (CloudEventRWException | EventDeserializationException | IllegalStateException ex) {
			if (ReceivedEvent.isStructured(properties) && isUnknown(ex)) {
				throw new MessageConversionException(
						"is a CloudEvent in structured mode ('%s'), for which there is no format on the class path: for JSON add io.cloudevents:cloudevents-json-jackson"
							.formatted(properties.getContentType()),
						ex);
			}
			throw new MessageConversionException("is no valid CloudEvent (%s)".formatted(ex.getMessage()), ex);
		}
	}

	private static boolean isUnknown(RuntimeException ex) {
		return ex instanceof CloudEventRWException failure
				&& failure.getKind() == CloudEventRWException.CloudEventRWExceptionKind.UNKNOWN_ENCODING;
	}

	private static MessageReader reader(Message message) {
		MessageProperties properties = message.getMessageProperties();
		return MessageUtils.parseStructuredOrBinaryMessage(properties::getContentType,
				(format) -> new GenericStructuredMessageReader(format, message.getBody()),
				() -> ReceivedEvent.attribute(properties, "specversion"),
				(version) -> new CloudEventReader(version, message));
	}

	@Override
	protected boolean isContentTypeHeader(String key) {
		return key.equals(CONTENT_TYPE);
	}

	@Override
	protected boolean isCloudEventsHeader(String key) {
		return ReceivedEvent.PREFIXES.stream().anyMatch(key::startsWith);
	}

	@Override
	protected String toCloudEventsKey(String key) {
		return ReceivedEvent.PREFIXES.stream()
			.filter(key::startsWith)
			.map((prefix) -> key.substring(prefix.length()))
			.findFirst()
			.orElse(key);
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
