package io.orderedoutbox.inbox;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.BatchMessageListener;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.MessagePropertiesBuilder;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.amqp.listener.ContainerUtils;

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

	private final ShardListenerSettings settings;

	// By consumer tag
	private final Map<String, Channel> targets = new ConcurrentHashMap<>();

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
		if (getMessageListener() instanceof BatchMessageListener
				|| getMessageListener() instanceof ChannelAwareBatchMessageListener) {
			throw new OutboxConfigurationException(
					"The listener '%s' of shards takes messages in batches, but its container hands over one at a time."
						.formatted(getListenerId()),
					"Let it take one message, or use another container factory.");
		}
		super.doInitialize();
	}

	@Override
	protected void doStart() {
		this.targets.clear();
		this.dispatcher = new KeyDispatcher(this.settings.concurrency(), this.settings.threads());
		super.doStart();
	}

	@Override
	protected void executeListener(Channel channel, Object data) {
		KeyDispatcher current = this.dispatcher;
		if (current != null && data instanceof Message message) {
			Channel target = targetOf(channel, String.valueOf(message.getMessageProperties().getConsumerTag()));
			if (target != null) {
				current.add(keyOf(message.getMessageProperties()),
						new ShardDelivery(this, channel, target, message, this.settings.backOff()));
			}
		}
	}

	// The channel of Spring is a proxy, which opens another channel when the one behind
	// it
	// is closed: then it looks as if deliveries of the old one could still be
	// acknowledged
	private @Nullable Channel targetOf(Channel channel, String consumerTag) {
		return this.targets.computeIfAbsent(consumerTag, (any) -> target(channel));
	}

	private static @Nullable Channel target(Channel channel) {
		return (channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : channel;
	}

	@Override
	protected void consumerRemoved(SimpleConsumer consumer) {
		String tag = consumer.getConsumerTag();
		if (tag != null) {
			this.targets.remove(tag);
		}
	}

	private String keyOf(MessageProperties properties) {
		Object key = (this.settings.order() == ShardListenerSettings.Order.PARTITION_KEY)
				? properties.getHeader("x-partition-key") : null;
		return properties.getConsumerQueue()
				+ ((key != null) ? " key " + key : " partition " + properties.getReceivedRoutingKey());
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
		// What this thread has processed before is no part of the same batch
		DeliveryScope.forget();
		try {
			super.executeListener(channel, copyOf(message));
			return null;
		}
		catch (RuntimeException ex) {
			return causeChainHasImmediateAcknowledgeAmqpException(ex) ? null : ex;
		}
		catch (Error ex) {
			// As the consumers of Spring do: usually it ends the process
			log.atError().setCause(ex).addKeyValue("error", ex.toString()).log("A listener of shards has failed");
			getJavaLangErrorHandler().handle(ex);
			return ex;
		}
	}

	// A listener, or what is around it, may change the message, and get it again
	private static Message copyOf(Message message) {
		return new Message(message.getBody(),
				MessagePropertiesBuilder.fromClonedProperties(message.getMessageProperties()).build());
	}

	/** Whether the container is about to stop, so that a failure says nothing. */
	boolean isStopping() {
		return !isActive();
	}

	void acknowledge(Channel target, Message message) {
		try {
			target.basicAck(message.getMessageProperties().getDeliveryTag(), false);
		}
		catch (IOException | ShutdownSignalException ex) {
			log.debug("A message was processed, and could not be acknowledged: the broker delivers it again", ex);
		}
	}

	/**
	 * Make a dead letter of a message, if it has failed too often or for good.
	 * @return whether it is one now
	 */
	boolean becomesDeadLetter(Message message, Throwable failure, int failures) {
		boolean isHopeless = !ContainerUtils.shouldRequeue(true, failure, this.logger);
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
		KeyDispatcher current = this.dispatcher;
		// A start that has failed, and is tried again, comes here too
		if (isActive() || current == null) {
			super.shutdownAndWaitOrCallback(callback);
		}
		else if (callback == null) {
			current.close();
			end(current, null);
		}
		else {
			current.close();
			getTaskExecutor().execute(() -> end(current, callback));
		}
	}

	private void end(KeyDispatcher current, @Nullable Runnable callback) {
		try {
			if (!current.awaitEnd(Duration.ofMillis(getShutdownTimeout()))) {
				log.atWarn()
					.addKeyValue("listener", getListenerId())
					.addKeyValue("timeout", getShutdownTimeout())
					.log("The listener '{}' of shards still processes messages after {} ms: the broker delivers them to the next consumer meanwhile",
							getListenerId(), getShutdownTimeout());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		try {
			allConsumers().forEach(ShardListenerContainer::end);
		}
		finally {
			super.shutdownAndWaitOrCallback(callback);
		}
	}

	private List<SimpleConsumer> allConsumers() {
		this.consumersLock.lock();
		try {
			List<SimpleConsumer> all = List.copyOf(this.consumers);
			// Else they would be cancelled, each on a new channel of Spring's proxy
			this.consumers.clear();
			return all;
		}
		finally {
			this.consumersLock.unlock();
		}
	}

	private static void end(SimpleConsumer consumer) {
		close(target(consumer.getChannel()));
		// As if the broker had said so: else the container waits for it until its timeout
		consumer.handleCancelOk(consumer.getConsumerTag());
	}

	private static void close(@Nullable Channel channel) {
		try {
			if (channel != null) {
				channel.abort();
			}
		}
		catch (IOException | ShutdownSignalException | AmqpException ex) {
			log.debug("The channel of a shard was closed already", ex);
		}
	}

}
