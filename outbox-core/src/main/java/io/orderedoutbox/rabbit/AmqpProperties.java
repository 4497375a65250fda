package io.orderedoutbox.rabbit;

import java.util.Date;
import java.util.HashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;

/**
 * What a message carries besides its body, and nothing more.
 */
final class AmqpProperties {

	private static final int PERSISTENT = 2;

	private AmqpProperties() {
	}

	static AMQP.BasicProperties of(StoredMessage stored) {
		Message message = stored.message();
		String messageId = message.messageId().toString();
		return new AMQP.BasicProperties.Builder().messageId(messageId)
			.type(message.name())
			.contentType(message.contentType())
			.timestamp(Date.from(stored.createdAt()))
			.deliveryMode(PERSISTENT)
			.headers(headers(message, messageId))
			.build();
	}

	private static Map<String, Object> headers(Message message, String messageId) {
		if (message.headers().isEmpty()) {
			return Map.of(HeaderStamp.MESSAGE_ID_HEADER, messageId);
		}
		Map<String, Object> headers = new HashMap<>(message.headers());
		headers.put(HeaderStamp.MESSAGE_ID_HEADER, messageId);
		return headers;
	}

}
