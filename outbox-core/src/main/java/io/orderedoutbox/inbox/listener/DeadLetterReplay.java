package io.orderedoutbox.inbox.listener;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.inbox.shard.ShardQueues;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;
import org.springframework.util.Assert;

/**
 * Brings dead letters of shards to their listener again. Each keeps its id, and they keep
 * the order in which they became dead letters.
 * <p>
 * Dead letters that others follow
 * ({@link ShardRetrySettings.Exhausted#DEAD_LETTER_SEQUENCE}) are processed here, by the
 * listener of this application: what fails again stays where it is, with all that follows
 * it. When the last one of a key was processed, the key goes on. Nothing overtakes. While
 * one instance replays, others do nothing.
 * <p>
 * All others are sent again to the queues that they came from, and not to other consumers
 * of the exchange. Each is removed when the broker has confirmed that it is in its queue
 * again; one whose confirmation is lost may be sent twice. What else their keys had has
 * gone on meanwhile: they come behind it. Run one replay of these at a time.
 */
public final class DeadLetterReplay {

	private static final int LOCKED = -1;

	private static final Pattern PARTITION = Pattern.compile("\\d{1,9}");

	private final ConnectionFactory connectionFactory;

	private final ShardDeadLetters sender;

	private final Supplier<List<ShardListenerContainerFactory>> listeners;

	private final Lock lock = new ReentrantLock();

	/**
	 * Create a replay.
	 * @param connectionFactory connects to the broker
	 * @param listeners the container factories of the listeners of this application
	 */
	public DeadLetterReplay(ConnectionFactory connectionFactory,
			Supplier<List<ShardListenerContainerFactory>> listeners) {
		this.connectionFactory = connectionFactory;
		this.sender = new ShardDeadLetters(connectionFactory);
		this.listeners = listeners;
	}

	/**
	 * Process all dead letters that others follow, or send all others again that are
	 * there now.
	 * @param shards whose dead letters they are
	 * @return how many were processed, or sent
	 * @throws org.springframework.amqp.AmqpException if the broker fails, or does not
	 * take one: that one and those behind it stay where they are
	 * @throws org.springframework.dao.DataAccessException if the database fails that
	 * knows which ones follow: they stay where they are
	 */
	public int run(ShardQueues shards) {
		SequencedReplay replay = sequencedReplay(shards);
		return (replay != null) ? process(replay) : onOwnChannel((channel) -> run(shards, channel));
	}

	private int process(SequencedReplay replay) {
		int processed = alone(replay, () -> processAll(replay));
		return (processed != LOCKED) ? processed : 0;
	}

	// The broker tells connections apart, and not the threads of this application
	private int alone(SequencedReplay replay, IntSupplier work) {
		this.lock.lock();
		try {
			return onOwnChannel((channel) -> {
				if (!replay.begin(channel)) {
					return LOCKED;
				}
				try {
					return work.getAsInt();
				}
				finally {
					replay.end(channel);
				}
			});
		}
		finally {
			this.lock.unlock();
		}
	}

	private int processAll(SequencedReplay replay) {
		int processed = 0;
		int last;
		do {
			last = onOwnChannel(replay::run);
			processed += last;
		}
		while (last > 0);
		return processed;
	}

	/**
	 * Remove a dead letter, so that those that follow it can be processed.
	 * @param shards whose dead letter it is
	 * @param messageId its message id
	 * @return whether it was there
	 * @throws IllegalStateException if dead letters that others follow are replayed in
	 * another instance at the moment: then it may be in use
	 * @throws org.springframework.amqp.AmqpException if the broker fails
	 * @throws org.springframework.dao.DataAccessException if the database fails that
	 * knows which ones follow: then it may be removed from the queue alone, and this can
	 * be repeated
	 */
	public boolean discard(ShardQueues shards, String messageId) {
		SequencedReplay replay = sequencedReplay(shards);
		if (replay == null) {
			return discardMessage(shards, messageId) > 0;
		}
		int discarded = alone(replay, () -> discardMessage(shards, messageId) + replay.discardRow(messageId));
		Assert.state(discarded != LOCKED,
				() -> "Another instance replays the dead letters of '%s'. Discard message '%s' when it has ended"
					.formatted(shards.name(), messageId));
		return discarded > 0;
	}

	private int discardMessage(ShardQueues shards, String messageId) {
		return onOwnChannel((channel) -> discard(shards.deadLetters(), messageId, channel));
	}

	// Null if no listener here has dead letters that others follow
	private @Nullable SequencedReplay sequencedReplay(ShardQueues shards) {
		for (ShardListenerContainerFactory factory : this.listeners.get()) {
			ShardListenerContainer listener = factory.listenerOf(shards);
			if (listener != null) {
				DeadLetterSequences sequences = listener.failures().sequences();
				return (sequences != null) ? new SequencedReplay(listener, sequences, shards) : null;
			}
		}
		return null;
	}

	// Not one of the cache, which would open another channel when this one is closed
	private int onOwnChannel(Step step) {
		try (Connection connection = this.connectionFactory.createConnection()) {
			Channel channel = Objects.requireNonNull(connection.getDelegate(), "a connection of RabbitMQ")
				.createChannel();
			try {
				return step.run(channel);
			}
			finally {
				// So that what is left goes back to its place
				channel.abort();
			}
		}
		catch (IOException ex) {
			throw new AmqpIOException(ex);
		}
		catch (ShutdownSignalException ex) {
			throw new AmqpConnectException(ex);
		}
	}

	private static int discard(String queue, String messageId, Channel channel) throws IOException {
		int discarded = 0;
		QueueWalk walk = new QueueWalk(channel, queue);
		Delivery delivery = walk.next();
		while (delivery != null) {
			if (messageId.equals(ShardFailures.idOf(delivery.getProperties().getMessageId(), delivery.getBody()))) {
				walk.acknowledge(delivery);
				discarded++;
			}
			delivery = walk.next();
		}
		return discarded;
	}

	// What fails again meanwhile is behind those that are counted here
	private int run(ShardQueues shards, Channel channel) throws IOException {
		String queue = shards.deadLetters();
		long count = channel.messageCount(queue);
		int sent = 0;
		for (; sent < count; sent++) {
			GetResponse response = channel.basicGet(queue, false);
			if (response == null) {
				return sent;
			}
			send(shards, response);
			channel.basicAck(response.getEnvelope().getDeliveryTag(), false);
		}
		return sent;
	}

	// Where it came from stays with it, and its listener sees it as it was
	private void send(ShardQueues shards, GetResponse response) {
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
		this.sender.send(shards.queueOf(Integer.parseInt(partition)), properties.builder().headers(headers).build(),
				response.getBody());
	}

	private interface Step {

		int run(Channel channel) throws IOException;

	}

}
