package io.orderedoutbox.inbox.listener;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.orderedoutbox.inbox.shard.ShardQueues;

import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;
import org.springframework.util.Assert;

/**
 * Sends dead letters that no others follow to the queues that they came from again.
 */
final class UnsequencedReplay {

	private static final Pattern PARTITION = Pattern.compile("\\d{1,9}");

	private final ShardDeadLetters sender;

	private final ShardQueues shards;

	UnsequencedReplay(ShardDeadLetters sender, ShardQueues shards) {
		this.sender = sender;
		this.shards = shards;
	}

	/**
	 * Send all that are there now. What fails again meanwhile is behind those that are
	 * counted here.
	 * @return how many were sent
	 */
	int run(Channel channel) throws IOException {
		String queue = this.shards.deadLetters();
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

	// Where it came from stays with it, and its listener sees it as it was
	private void send(GetResponse response) {
		BasicProperties properties = response.getProps();
		Map<String, Object> headers = new HashMap<>();
		if (properties.getHeaders() != null) {
			headers.putAll(properties.getHeaders());
		}
		headers.remove(RepublishMessageRecoverer.X_EXCEPTION_MESSAGE);
		String partition = String.valueOf(headers.get(RepublishMessageRecoverer.X_ORIGINAL_ROUTING_KEY));
		Assert.state(PARTITION.matcher(partition).matches(),
				() -> "Message '%s' does not say which partition it came from. Remove it from the queue of dead letters"
					.formatted(properties.getMessageId()));
		this.sender.send(this.shards.queueOf(Integer.parseInt(partition)),
				properties.builder().headers(headers).build(), response.getBody());
	}

}
