/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.inbox.DeliveryScope;
import io.orderedoutbox.inbox.shard.ShardQueues;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.BatchMessageListener;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.MessagePropertiesBuilder;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.amqp.support.ConsumerTagStrategy;

/**
 * A container with a consumer for each shard.
 * <ol>
 * <li>The thread of the client that a message comes by only hands it to the
 * {@link KeyDispatcher}, in the order of the queue.</li>
 * <li>A thread of the dispatcher processes the message, all that Spring puts around a
 * listener included, and acknowledges it by itself, in whatever order the messages of
 * different keys end.</li>
 * <li>A container that stops lets what has begun end, and acknowledges it. Then it closes
 * its channels, so that the broker gives all else to the next consumer, in order.</li>
 * <li>A queue that is removed while the container runs is left in the same way, and so is
 * one that {@link ShardBalance} leaves to another instance. The container consumes from
 * that one again a moment later, and so stands behind the consumers of all other
 * instances.</li>
 * </ol>
 */
final class ShardListenerContainer extends DirectMessageListenerContainer {

	private static final Logger log = LoggerFactory.getLogger(ShardListenerContainerFactory.class);

	private final ShardListenerSettings settings;

	private final ShardFailures failures;

	private final ShardBalance balance;

	// By the channel that Spring sees
	private final Map<Channel, ShardChannel> channels = new ConcurrentHashMap<>();

	// Of those that consume
	private final ConsumerTags tags = new ConsumerTags();

	// Those that are left to another instance, and consumed from again
	private final Set<String> leaving = ConcurrentHashMap.newKeySet();

	private volatile @Nullable KeyDispatcher dispatcher;

	ShardListenerContainer(ShardListenerSettings settings, @Nullable DeadLetterSequences sequences) {
		this.settings = settings;
		this.failures = new ShardFailures(settings.retry(), sequences,
				() -> new ShardDeadLetters(getConnectionFactory()));
		this.balance = new ShardBalance(settings.balanceInterval());
		super.setPrefetchCount(ShardQueues.PREFETCH);
		super.setErrorHandler(ShardFailures.errorHandler());
	}

	// The container would acknowledge when it has handed a message over
	@Override
	public AcknowledgeMode getAcknowledgeMode() {
		return AcknowledgeMode.MANUAL;
	}

	// All consumers must take the same number: see ShardQueues.PREFETCH
	@Override
	public void setPrefetchCount(int prefetchCount) {
		log.debug("A listener of shards has a prefetch of {}, and not {}", ShardQueues.PREFETCH, prefetchCount);
	}

	// Of several consumers of an instance all but one would stand by
	@Override
	public void setConsumersPerQueue(int consumersPerQueue) {
		log.debug("A listener of shards has one consumer for each queue, and not {}", consumersPerQueue);
	}

	@Override
	protected ConsumerTagStrategy getConsumerTagStrategy() {
		ConsumerTagStrategy strategy = super.getConsumerTagStrategy();
		return (queue) -> this.tags.add(queue, strategy);
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
		this.channels.clear();
		this.dispatcher = new KeyDispatcher(this.settings.concurrency(), this.settings.threads());
		this.balance.queuesToConsume(getQueueNamesAsSet()).forEach((members) -> super.addQueueNames(members));
		super.doStart();
	}

	@Override
	protected void executeListener(Channel channel, Object data) {
		KeyDispatcher current = this.dispatcher;
		if (current != null && data instanceof Message message) {
			deliver(current, channel, message, String.valueOf(message.getMessageProperties().getConsumerTag()));
		}
	}

	private void deliver(KeyDispatcher current, Channel channel, Message message, String consumerTag) {
		MessageProperties properties = message.getMessageProperties();
		String queue = String.valueOf(properties.getConsumerQueue());
		ShardChannel source = channelOf(channel, queue);
		// What a consumer that has ended still hands over has gone back to the queue
		if (this.tags.queueOf(consumerTag).isEmpty()) {
			this.channels.remove(channel, source);
			return;
		}
		if (ShardDeadLetters.isReplayed(properties)) {
			ShardDeadLetters.restoreOrigin(properties);
		}
		source.delivered(Boolean.TRUE.equals(properties.isRedelivered()));
		OrderingKeys keys = orderingKeys(properties);
		current.add(queue + " " + keys.own(), new ShardDelivery(this, channel, source, message, keys));
	}

	private ShardChannel channelOf(Channel channel, String queue) {
		return this.channels.computeIfAbsent(channel,
				(any) -> ShardChannel.of(channel, queue, this.failures.parkedKeys(queue)));
	}

	/** What a message is processed in order of, within its queue. */
	OrderingKeys orderingKeys(MessageProperties properties) {
		return OrderingKeys.of(properties, this.settings.order());
	}

	ShardFailures failures() {
		return this.failures;
	}

	List<QueueRetries> retries() {
		KeyDispatcher current = this.dispatcher;
		return this.failures.with((current != null) ? current.held() : List.of());
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
			return (ex instanceof ImmediateAcknowledgeAmqpException
					|| causeChainHasImmediateAcknowledgeAmqpException(ex)) ? null : ex;
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

	@Override
	protected void processMonitorTask() {
		comeBack();
		this.balance.look(this).forEach((queue) -> getTaskExecutor().execute(() -> leave(queue)));
	}

	/** Return the channels by which messages have come. */
	List<ShardChannel> channels() {
		return List.copyOf(this.channels.values());
	}

	private void leave(String queue) {
		// Unless the application has removed it meanwhile
		if (removeInOrder(List.of(queue), Duration.ofDays(1))) {
			this.leaving.add(queue);
		}
	}

	private void comeBack() {
		try {
			for (String queue : List.copyOf(this.leaving)) {
				if (!getQueueNamesAsSet().contains(queue)) {
					super.addQueueNames(queue);
				}
				this.leaving.remove(queue);
			}
		}
		catch (AmqpException ex) {
			log.debug("The broker is away: queues that were left are consumed from when it is back", ex);
		}
	}

	@Override
	public boolean removeQueueNames(String... queueNames) {
		boolean isChanged = removeInOrder(List.of(queueNames), Duration.ofMillis(getShutdownTimeout()));
		isChanged |= this.leaving.removeAll(List.of(queueNames));
		Set<String> queuesLeft = new HashSet<>(getQueueNamesAsSet());
		queuesLeft.addAll(this.leaving);
		ShardBalance.membersWithoutShards(queuesLeft).forEach((members) -> super.removeQueueNames(members));
		return isChanged;
	}

	@Override
	public void addQueueNames(String... queueNames) {
		super.addQueueNames(queueNames);
		if (isRunning()) {
			this.balance.queuesToConsume(getQueueNamesAsSet()).forEach((members) -> super.addQueueNames(members));
		}
	}

	@Override
	public boolean removeQueues(Queue... queues) {
		return removeQueueNames(Arrays.stream(queues).map(Queue::getActualName).toArray(String[]::new));
	}

	// The container of Spring would cancel the consumers while their messages are
	// processed
	private boolean removeInOrder(List<String> queueNames, Duration patience) {
		awaitEnd(queueNames, patience);
		this.consumersLock.lock();
		try {
			List<SimpleConsumer> ended = consumersOf(queueNames);
			if (ended.stream().allMatch((consumer) -> channelOf(consumer).isVoid())) {
				ended.forEach((consumer) -> channelOf(consumer).close());
				boolean isChanged = super.removeQueueNames(queueNames.toArray(String[]::new));
				ended.forEach((consumer) -> consumer.handleCancelOk(consumer.getConsumerTag()));
				return isChanged;
			}
		}
		finally {
			this.consumersLock.unlock();
		}
		// A consumer was lost, and another one has begun, while those that end were
		// awaited
		return removeInOrder(queueNames, patience);
	}

	private void awaitEnd(List<String> queueNames, Duration patience) {
		List<SimpleConsumer> ending;
		this.consumersLock.lock();
		try {
			ending = consumersOf(queueNames);
		}
		finally {
			this.consumersLock.unlock();
		}
		CompletableFuture
			.allOf(ending.stream().map((consumer) -> channelOf(consumer).giveUp()).toArray(CompletableFuture<?>[]::new))
			.completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
			.join();
		if (ending.stream().anyMatch((consumer) -> channelOf(consumer).processing() > 0)) {
			warnOfWhatGoesOn(patience.toMillis());
		}
	}

	private void warnOfWhatGoesOn(long millis) {
		log.atWarn()
			.addKeyValue("listener", getListenerId())
			.addKeyValue("timeout", millis)
			.log("The listener '{}' of shards still processes messages after {} ms: the broker delivers them to the next consumer meanwhile",
					getListenerId(), millis);
	}

	private List<SimpleConsumer> consumersOf(List<String> queueNames) {
		return this.consumers.stream()
			.filter((consumer) -> queueNames.contains(this.tags.queueOf(consumer.getConsumerTag())))
			.toList();
	}

	private ShardChannel channelOf(SimpleConsumer consumer) {
		return channelOf(consumer.getChannel(), this.tags.queueOf(consumer.getConsumerTag()));
	}

	@Override
	protected void consumerRemoved(SimpleConsumer consumer) {
		String tag = consumer.getConsumerTag();
		if (tag != null) {
			this.tags.remove(tag);
			this.channels.remove(consumer.getChannel());
		}
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
				warnOfWhatGoesOn(getShutdownTimeout());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		try {
			allConsumers().forEach(this::end);
		}
		finally {
			// A container that has never started would not call back
			super.shutdownAndWaitOrCallback(null);
			if (callback != null) {
				callback.run();
			}
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

	private void end(SimpleConsumer consumer) {
		channelOf(consumer).close();
		// As if the broker had said so: else the container waits for it until its timeout
		consumer.handleCancelOk(consumer.getConsumerTag());
	}

}
