/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.util.function.SingletonSupplier;

/**
 * Around the listeners: remembers when this instance was last handed a message of each
 * queue of shards, by its own clock.
 * <p>
 * The broker does not tell a consumer whether it is the active one of a queue. What an
 * instance knows is that it was the active one when it fetched a message. Guaranteed: who
 * was last handed a message of a queue, of all instances, is the owner of that queue, or
 * was it until nothing came any more. Not guaranteed: that an instance that was handed a
 * message a while ago still is.
 */
public final class ShardDeliveries implements MethodInterceptor {

	private final Supplier<Set<String>> queues;

	private final Map<String, Instant> last = new ConcurrentHashMap<>();

	/**
	 * Create it.
	 * @param queues the names of the queues; asked when the first message comes
	 */
	public ShardDeliveries(Supplier<Set<String>> queues) {
		this.queues = SingletonSupplier.of(queues);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Stream.of(invocation.getArguments())
			.flatMap((argument) -> (argument instanceof Collection<?> batch) ? batch.stream()
					: Stream.ofNullable(argument))
			.filter(Message.class::isInstance)
			.findFirst()
			.ifPresent((message) -> handedOver((Message) message));
		return invocation.proceed();
	}

	private void handedOver(Message message) {
		String queue = message.getMessageProperties().getConsumerQueue();
		if (queue != null && this.queues.get().contains(queue)) {
			this.last.put(queue, Instant.now());
		}
	}

	/**
	 * Return when this instance was last handed a message of a queue.
	 * @param queue the name of the queue
	 * @return the time, or {@code null} if it has not been since the start
	 */
	public @Nullable Instant last(String queue) {
		return this.last.get(queue);
	}

}
