package io.orderedoutbox.inbox;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.listener.ContainerUtils;
import org.springframework.amqp.support.ConsumerTagStrategy;

/**
 * A container with a consumer for each shard.
 * <ol>
 * <li>Each consumer has a random priority, see
 * {@link ShardListenerContainerFactory}.</li>
 * <li>The thread of the client that a message comes by only hands it to the
 * {@link KeyDispatcher}, in the order of the queue.</li>
 * <li>A thread of the dispatcher processes the message, all that Spring puts around a
 * listener included, and acknowledges it by itself, in whatever order the messages of
 * different keys end.</li>
 * <li>A container that stops lets what has begun end, and acknowledges it. Then it closes
 * its channels, so that the broker gives all else to the next consumer, in order.</li>
 * </ol>
 */
final class ShardListenerContainer extends DirectMessageListenerContainer {

	private static final Logger log = LoggerFactory.getLogger(ShardListenerContainerFactory.class);

	private static final int HIGHEST_PRIORITY = 1_000_000;

	private final ShardListenerSettings settings;

	// By queue: it stays the same when a consumer is made again, so that the queue does
	// not move
	private final Map<String, Integer> priorities = new ConcurrentHashMap<>();

	private final ThreadLocal<@Nullable String> queue = new ThreadLocal<>();

	private final ShardRetryCounts counts = new ShardRetryCounts();

	private volatile @Nullable KeyDispatcher dispatcher;

	ShardListenerContainer(ShardListenerSettings settings) {
		this.settings = settings;
	}

	// The container would acknowledge when it has handed a message over
	@Override
	public AcknowledgeMode getAcknowledgeMode() {
		return AcknowledgeMode.MANUAL;
	}

	@Override
	protected void doInitialize() {
		if (super.getAcknowledgeMode() != AcknowledgeMode.AUTO || isChannelTransacted()) {
			throw new OutboxConfigurationException(
					"The listener '%s' of shards has acknowledge mode %s%s, but its container acknowledges each message when it is processed."
						.formatted(getListenerId(), super.getAcknowledgeMode(),
								isChannelTransacted() ? " and a transacted channel" : ""),
					"Leave acknowledge-mode at auto and the channel without transactions, or use another container factory.");
		}
		super.doInitialize();
	}

	@Override
	protected void doStart() {
		this.dispatcher = new KeyDispatcher(this.settings.concurrency(), this.settings.threads());
		super.doStart();
	}

	// The container asks for a tag, and then for the arguments of the same consumer. With
	// another order the priority would be that of another queue: no harm to the order of
	// messages
	@Override
	protected ConsumerTagStrategy getConsumerTagStrategy() {
		ConsumerTagStrategy configured = super.getConsumerTagStrategy();
		return (name) -> {
			this.queue.set(name);
			return (configured != null) ? configured.createConsumerTag(name) : "";
		};
	}

	@Override
	public Map<String, Object> getConsumerArguments() {
		Map<String, Object> arguments = new HashMap<>(super.getConsumerArguments());
		String name = this.queue.get();
		this.queue.remove();
		if (name != null) {
			arguments.putIfAbsent("x-priority", this.priorities.computeIfAbsent(name,
					(any) -> ThreadLocalRandom.current().nextInt(HIGHEST_PRIORITY)));
		}
		return arguments;
	}

	@Override
	protected void executeListener(Channel channel, Object data) {
		KeyDispatcher current = this.dispatcher;
		if (current != null && data instanceof Message message) {
			current.add(keyOf(message.getMessageProperties()),
					new ShardDelivery(this, channel, message, this.settings.backOff()));
		}
	}

	private String keyOf(MessageProperties properties) {
		Object key = (this.settings.order() == ShardListenerSettings.Order.PARTITION_KEY)
				? properties.getHeader("x-partition-key") : null;
		return (key != null) ? "key " + key
				: "partition " + properties.getReceivedExchange() + " " + properties.getReceivedRoutingKey();
	}

	ShardRetryCounts counts() {
		return this.counts;
	}

	List<QueueRetries> retries() {
		KeyDispatcher current = this.dispatcher;
		return this.counts.with((current != null) ? current.held() : List.of());
	}

	/**
	 * Process a message, with all that Spring puts around a listener.
	 * @return why it has failed, null if it has not
	 */
	@Nullable Throwable process(Channel channel, Message message) {
		try {
			super.executeListener(channel, message);
			return null;
		}
		catch (RuntimeException ex) {
			return causeChainHasImmediateAcknowledgeAmqpException(ex) ? null : ex;
		}
		catch (Error ex) {
			// As the consumers of Spring do: usually it ends the process
			log.error("A listener has failed", ex);
			getJavaLangErrorHandler().handle(ex);
			return ex;
		}
	}

	void acknowledge(Channel channel, Message message) {
		try {
			channel.basicAck(message.getMessageProperties().getDeliveryTag(), false);
		}
		catch (IOException | ShutdownSignalException | AmqpException | IllegalStateException ex) {
			log.debug("A message was processed, and could not be acknowledged: the broker delivers it again", ex);
		}
	}

	/**
	 * Make a dead letter of a message, if it has failed too often or for good.
	 * @return whether it is one now
	 */
	boolean becomesDeadLetter(Message message, Throwable failure, int failures) {
		boolean isHopeless = !ContainerUtils.shouldRequeue(isDefaultRequeueRejected(), failure, this.logger);
		if (!isHopeless && !this.settings.isDeadLetterAfter(failures)) {
			return false;
		}
		MessageProperties properties = message.getMessageProperties();
		String reason = ShardDeadLetters.reason(failure);
		try {
			new ShardDeadLetters(getConnectionFactory()).add(message, failure);
		}
		catch (AmqpException ex) {
			log.atError()
				.setCause(ex)
				.addKeyValue("error", ShardDeadLetters.reason(ex))
				.log("Message '{}' of queue '{}' could not become a dead letter, and is tried again: {}",
						properties.getMessageId(), properties.getConsumerQueue(), ShardDeadLetters.reason(ex));
			return false;
		}
		this.counts.deadLettered(String.valueOf(properties.getConsumerQueue()));
		log.atError()
			.addKeyValue("error", reason)
			.addKeyValue("failed_attempts", failures)
			.log("Message '{}' of queue '{}' is a dead letter after {} attempt(s): {}", properties.getMessageId(),
					properties.getConsumerQueue(), failures, reason);
		return true;
	}

	@Override
	protected void shutdownAndWaitOrCallback(@Nullable Runnable callback) {
		if (callback == null) {
			letEnd();
			super.shutdownAndWaitOrCallback(null);
		}
		else {
			getTaskExecutor().execute(() -> {
				letEnd();
				super.shutdownAndWaitOrCallback(callback);
			});
		}
	}

	private void letEnd() {
		KeyDispatcher current = this.dispatcher;
		this.dispatcher = null;
		try {
			if (current != null && !current.close(Duration.ofMillis(getShutdownTimeout()))) {
				log.warn(
						"The listener '{}' of shards still processes messages after {} ms: the broker delivers them to the next consumer meanwhile",
						getListenerId(), getShutdownTimeout());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		List.copyOf(this.consumers).forEach((consumer) -> close(consumer.getChannel()));
	}

	private static void close(Channel channel) {
		try {
			channel.abort();
		}
		catch (IOException | ShutdownSignalException ex) {
			log.debug("The channel of a shard was closed already", ex);
		}
	}

}
