package io.orderedoutbox.inbox;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;
import org.springframework.util.Assert;

/**
 * Sends dead letters of shards again, to the exchange and with the routing key that they
 * came with.
 * <p>
 * Each keeps its id, and they keep the order in which they became dead letters. Each is
 * removed when the broker has confirmed that it is in its queue again; one whose
 * confirmation is lost may be sent twice. What else their keys had has gone on meanwhile:
 * they come behind it. Run one replay of a queue at a time.
 */
public final class DeadLetterReplay {

	private static final List<String> ORIGIN = List.of(RepublishMessageRecoverer.X_EXCEPTION_MESSAGE,
			RepublishMessageRecoverer.X_ORIGINAL_EXCHANGE, RepublishMessageRecoverer.X_ORIGINAL_ROUTING_KEY);

	private final RabbitTemplate template;

	private final ShardDeadLetters sender;

	/**
	 * Create a replay.
	 * @param connectionFactory connects to the broker
	 */
	public DeadLetterReplay(ConnectionFactory connectionFactory) {
		this.template = new RabbitTemplate(connectionFactory);
		this.sender = new ShardDeadLetters(connectionFactory);
	}

	/**
	 * Send all messages again that are in the queue of dead letters now.
	 * @param shards whose dead letters they are
	 * @return how many were sent
	 * @throws org.springframework.amqp.AmqpException if the broker does not take one:
	 * that one and those behind it stay where they are
	 */
	public int run(ShardQueues shards) {
		Integer sent = this.template.execute((cached) -> {
			// Closed at the end, so that what was not sent goes back to its place
			try (Channel channel = cached.getConnection().createChannel()) {
				return run(shards.deadLetters(), channel);
			}
		});
		return (sent != null) ? sent : 0;
	}

	// What fails again meanwhile is behind those that are counted here
	private int run(String queue, Channel channel) throws IOException, TimeoutException {
		long count = channel.messageCount(queue);
		int sent = 0;
		for (; sent < count; sent++) {
			GetResponse response = channel.basicGet(queue, false);
			if (response == null) {
				return sent;
			}
			send(response);
			channel.basicAck(response.getEnvelope().getDeliveryTag(), false);
		}
		return sent;
	}

	private void send(GetResponse response) {
		BasicProperties properties = response.getProps();
		Map<String, Object> headers = new HashMap<>();
		if (properties.getHeaders() != null) {
			headers.putAll(properties.getHeaders());
		}
		String exchange = text(headers.get(RepublishMessageRecoverer.X_ORIGINAL_EXCHANGE));
		String routingKey = text(headers.get(RepublishMessageRecoverer.X_ORIGINAL_ROUTING_KEY));
		Assert.state(exchange != null && routingKey != null,
				() -> "Message '%s' does not say where it came from. Remove it from the queue of dead letters"
					.formatted(properties.getMessageId()));
		ORIGIN.forEach(headers::remove);
		this.sender.send(exchange, routingKey, properties.builder().headers(headers).build(), response.getBody());
	}

	private static @Nullable String text(@Nullable Object header) {
		return (header != null) ? header.toString() : null;
	}

}
