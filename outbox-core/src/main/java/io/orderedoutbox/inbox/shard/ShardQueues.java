/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Binding.DestinationType;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.util.Assert;

/**
 * Queues of one consumer that share the partitions of a stream of messages: all messages
 * of a partition, and so of a partition key, go to the same queue, and at any time the
 * broker hands a queue to one consumer only. So the consumer can have as many instances
 * and threads as there are queues, and each key is still processed in order.
 * <p>
 * The messages come from a direct exchange with the number of their partition as routing
 * key ({@code outbox.rabbit.routing-key={partition}}). A direct exchange needs no plugin,
 * and finds a queue faster than any other.
 * <p>
 * Quorum queues with {@code x-single-active-consumer}, without a limit of deliveries: a
 * message that comes back because an instance has ended would spend it, and then be
 * dropped.
 *
 * @param exchange the name of the exchange
 * @param name what the names of the queues begin with, usually the name of the consumer
 * @param count how many queues there are, from 1 to {@code partitions}
 * @param partitions how many partitions the outbox has that sends
 */
public record ShardQueues(String exchange, String name, int count, int partitions) {

	// A message that is held is not acknowledged, however long that takes. If the broker
	// took it back alone, what is behind it would overtake it
	private static final long LONGEST_WAIT_MILLIS = Duration.ofDays(20).toMillis();

	private static final String MEMBERS = ".members";

	private static final String DEAD_LETTERS = ".dead-letters";

	private static final Pattern COUNT = Pattern.compile("\\.(\\d{1,9})\\.members$");

	private static final Pattern SHARD_NUMBER = Pattern.compile("\\.(\\d+|members)$");

	/**
	 * How many messages of a queue each consumer holds. A quorum queue appends what a
	 * consumer gives back to what others have given back before. That keeps its order
	 * only if the next consumer takes all of it at once, and so all consumers, of all
	 * instances and at all times, must take the same number.
	 */
	public static final int PREFETCH = 250;

	/**
	 * How many partitions an outbox has unless it says otherwise.
	 */
	public static final int DEFAULT_PARTITIONS = 64;

	/**
	 * Create queues.
	 * @throws IllegalArgumentException if the count does not fit
	 */
	public ShardQueues {
		Assert.isTrue(count >= 1 && count <= partitions,
				() -> "'count' must be between 1 and the number of partitions (%d), but is %d".formatted(partitions,
						count));
	}

	/**
	 * Return queues for an outbox with {@value #DEFAULT_PARTITIONS} partitions.
	 * @param exchange the name of the exchange
	 * @param name what the names of the queues begin with
	 * @param count how many queues there are
	 * @return the queues
	 */
	public static ShardQueues of(String exchange, String name, int count) {
		return new ShardQueues(exchange, name, count, DEFAULT_PARTITIONS);
	}

	/**
	 * Return the names of the queues, for {@code @RabbitListener}.
	 * @return the names, of which each ends with the count and the number of the queue
	 */
	public String[] names() {
		return IntStream.range(0, this.count).mapToObj(this::name).toArray(String[]::new);
	}

	private String name(int shard) {
		return marker() + "." + shard;
	}

	/**
	 * Return what all names of the queues begin with. Queues of another count have other
	 * names: what is in them cannot be taken for what is in these.
	 */
	String marker() {
		return this.name + "." + this.count;
	}

	/**
	 * Return the name of the queue that gets what the consumer has given up. It does not
	 * depend on the count.
	 * @return the name
	 */
	public String deadLetters() {
		return deadLettersOf(this.name);
	}

	/**
	 * Return the same for queues of a name.
	 * @param name what the names of the queues begin with, without the count
	 * @return the name
	 */
	public static String deadLettersOf(String name) {
		return name + DEAD_LETTERS;
	}

	/**
	 * Return the name of the queue whose consumers are the instances that share these
	 * queues. Nothing is sent to it.
	 * @return the name
	 */
	public String members() {
		return membersOf(name(0));
	}

	/**
	 * Return the same for one of the queues.
	 * @param queue the name of a shard's queue
	 * @return the name
	 */
	public static String membersOf(String queue) {
		return SHARD_NUMBER.matcher(queue).replaceFirst("") + MEMBERS;
	}

	/**
	 * Return how many queues share a queue of members.
	 * @param members the name of the queue of members
	 * @return the number, 0 if that is no such name
	 */
	public static int countOf(String members) {
		Matcher matcher = COUNT.matcher(members);
		return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
	}

	ShardQueues withCount(int other) {
		return new ShardQueues(this.exchange, this.name, other, this.partitions);
	}

	/**
	 * Return the name of the queue that gets the messages of a partition.
	 * @param partition the partition
	 * @return the name
	 */
	public String queueOf(int partition) {
		return name(partition % this.count);
	}

	/**
	 * Return exchange, queues and bindings. As a bean they are declared when the
	 * application connects.
	 * @return what is to be declared
	 */
	public Declarables declarables() {
		Collection<Declarable> all = new ArrayList<>();
		all.add(new DirectExchange(this.exchange));
		for (String queue : names()) {
			all.add(shard(queue));
		}
		all.add(QueueBuilder.durable(members()).build());
		all.add(kept(deadLetters()).build());
		for (int partition = 0; partition < this.partitions; partition++) {
			all.add(new Binding(queueOf(partition), DestinationType.QUEUE, this.exchange, String.valueOf(partition),
					Map.of()));
		}
		return new Declarables(all);
	}

	private static Queue shard(String name) {
		return kept(name).singleActiveConsumer().build();
	}

	// However often and long its messages are held
	private static QueueBuilder kept(String name) {
		return QueueBuilder.durable(name)
			.quorum()
			.deliveryLimit(-1)
			.withArgument("x-consumer-timeout", LONGEST_WAIT_MILLIS);
	}

	/**
	 * Return the same for operators who own the topology, as
	 * {@code rabbitmqctl import_definitions} and the management page take it.
	 * @param virtualHost the virtual host
	 * @return definitions, as maps and lists that any JSON mapper writes
	 */
	public Map<String, Object> definitions(String virtualHost) {
		Declarables all = declarables();
		List<Map<String, Object>> queues = all.getDeclarablesByType(Queue.class)
			.stream()
			.map((queue) -> Map.<String, Object>of("name", queue.getName(), "vhost", virtualHost, "durable", true,
					"auto_delete", false, "arguments", queue.getArguments()))
			.toList();
		List<Map<String, Object>> bindings = all.getDeclarablesByType(Binding.class)
			.stream()
			.map((binding) -> Map.<String, Object>of("source", this.exchange, "vhost", virtualHost, "destination",
					binding.getDestination(), "destination_type", "queue", "routing_key", binding.getRoutingKey(),
					"arguments", Map.of()))
			.toList();
		return Map.of("exchanges",
				List.of(Map.of("name", this.exchange, "vhost", virtualHost, "type", "direct", "durable", true,
						"auto_delete", false, "internal", false, "arguments", Map.of())),
				"queues", queues, "bindings", bindings);
	}

}
