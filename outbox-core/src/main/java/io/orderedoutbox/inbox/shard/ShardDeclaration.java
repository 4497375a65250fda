/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import io.orderedoutbox.OutboxConfigurationException;

import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Declares {@link ShardQueues}, and takes care that a key keeps its order when their
 * count changes.
 * <ol>
 * <li>An exchange without bindings, {@code name.count}, says that the queues of this
 * count are the only ones. If it is there, declare the queues once more, and be
 * done.</li>
 * <li>Otherwise look for queues of each other count. If any has messages or a consumer,
 * refuse, and change nothing: what is in it must be processed before what comes into the
 * new ones.</li>
 * <li>Remove the exchange of the other count: from here on, an application that is
 * stopped half-way, and one of the other count, begin with the second step.</li>
 * <li>Declare and bind the new queues, then unbind the old ones. A message that comes
 * meanwhile goes to both: none is lost.</li>
 * <li>Look again: if a message has come into an old queue, refuse. It is before what is
 * in the new ones. This time do not ask for the number of messages, which is 0 as well if
 * the leader of a queue is silent, but consume.</li>
 * <li>Delete the old queues, the one that is looked for last, and declare the
 * exchange.</li>
 * <li>Look for queues of another count once more: an application with that count may have
 * declared them meanwhile, and each of the two has declared its queues before it looks.
 * If there are any, remove the exchange again, and refuse.</li>
 * </ol>
 */
public final class ShardDeclaration {

	private final ShardQueues shards;

	/**
	 * Create a declaration.
	 * @param shards the queues
	 */
	public ShardDeclaration(ShardQueues shards) {
		this.shards = shards;
	}

	/**
	 * Declare.
	 * @param template works on the broker
	 * @throws OutboxConfigurationException if a queue is there with other arguments, or
	 * queues of another count are in use
	 * @throws org.springframework.amqp.AmqpException if the broker cannot be reached
	 */
	public void run(RabbitTemplate template) {
		ShardBroker broker = new ShardBroker(template);
		boolean isOnly = broker.hasExchange(this.shards.marker());
		List<ShardQueues> others = isOnly ? List.of() : others(broker);
		others.forEach((other) -> requireUnused(other, broker));
		others.forEach((other) -> broker.deleteExchange(other.marker()));
		broker.declare(this.shards.exchange());
		broker.declare(this.shards.declarables());
		others.forEach((other) -> broker.unbind(other.declarables()));
		others.forEach((other) -> requireUnused(other, broker));
		others.forEach((other) -> requireEmpty(other, broker));
		others.forEach((other) -> {
			broker.deleteQueue(other.members());
			names(other).forEach(broker::deleteQueue);
		});
		if (!isOnly) {
			broker.declare(this.shards.marker());
			others(broker).forEach((other) -> refuse(other, broker));
		}
	}

	private void refuse(ShardQueues other, ShardBroker broker) {
		broker.deleteExchange(this.shards.marker());
		throw new OutboxConfigurationException(
				"An application with outbox.rabbit.shards.count=%d has declared the queues '%s.*' at the same time: each message would go to both."
					.formatted(other.count(), other.marker()),
				"Give all instances of the consumer the same outbox.rabbit.shards.count, delete the queues of the other one, and start the application again.");
	}

	private List<ShardQueues> others(ShardBroker broker) {
		return IntStream.rangeClosed(1, this.shards.partitions())
			.filter((count) -> count != this.shards.count())
			.mapToObj(this.shards::withCount)
			.filter((other) -> broker.find(other.names()[0]) != null)
			.toList();
	}

	private static void requireUnused(ShardQueues other, ShardBroker broker) {
		List<DeclareOk> found = names(other).map(broker::find).filter(Objects::nonNull).toList();
		int messages = found.stream().mapToInt(DeclareOk::getMessageCount).sum();
		int consumers = found.stream().mapToInt(DeclareOk::getConsumerCount).sum();
		require(messages == 0 && consumers == 0, other,
				"with %d message(s) and %d consumer(s)".formatted(messages, consumers));
	}

	private static void requireEmpty(ShardQueues other, ShardBroker broker) {
		names(other).filter((queue) -> broker.find(queue) != null)
			.forEach((queue) -> require(broker.isEmpty(queue), other, "with messages in '%s'".formatted(queue)));
	}

	private static void require(boolean isUnused, ShardQueues other, String use) {
		if (!isUnused) {
			throw new OutboxConfigurationException(
					"The %d queues '%s.*' of another outbox.rabbit.shards.count are still in use, %s: messages in other queues would overtake theirs."
						.formatted(other.count(), other.marker(), use),
					"Stop the relays, start the application with outbox.rabbit.shards.count=%d and outbox.rabbit.shards.declare=false until these queues are empty, stop it, and start it with the new count: see docs/consuming.md."
						.formatted(other.count()));
		}
	}

	// The one that is looked for is the last
	private static Stream<String> names(ShardQueues shards) {
		List<String> names = new ArrayList<>(List.of(shards.names()));
		Collections.reverse(names);
		return names.stream();
	}

}
