/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.consume;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.consume.ConsumingListeners.OneQueue;
import io.orderedoutbox.benchmark.consume.ConsumingListeners.OneQueueOnce;
import io.orderedoutbox.benchmark.consume.ConsumingListeners.Shards;
import io.orderedoutbox.benchmark.consume.ConsumingListeners.ShardsOnce;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.load.Payloads;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;
import io.orderedoutbox.inbox.shard.ShardQueues;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;

/**
 * One instance of a consumer: shards beside an ordinary listener with as many messages
 * fetched, and what it costs to process each message once. All queues are quorum queues.
 */
public final class Consuming implements Scenario {

	private static final int MESSAGES = 30_000;

	private static final int KEYS = 1_000;

	private static final int SHARDS = 8;

	private static final int PREFETCH = 250;

	private static final int SLOW_MILLIS = 100;

	private static final long CONFIRM_MILLIS = 60_000;

	private static final String PLAIN = "one queue, a listener that does nothing";

	private static final String SHARDED = "8 shards, a listener that does nothing";

	private static final String SLOW_KEY = "8 shards, the other keys while each message of one of 1,000 takes 100 ms";

	private static final String UPDATE = "one queue, an update in a transaction";

	private static final String ONCE = "one queue, the same processed once";

	private static final String SHARDED_ONCE = "8 shards, the same processed once";

	private static final String COST = "cost of processing a message once";

	@Override
	public String name() {
		return "consume";
	}

	@Override
	public String title() {
		return "shards and deduplication beside an ordinary listener";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		int messages = bench.scaled(MESSAGES);
		Rounds rounds = new Rounds();
		bench.warmUp(() -> measure(bench, messages / 5, new Rounds()));
		for (int round = 1; round <= bench.rounds(); round++) {
			measure(bench, messages, rounds);
		}
		System.out.print(rounds);
		List<Figure> figures = new ArrayList<>();
		figures.add(figure(rounds, SHARDED, PLAIN, Goal.atLeast(0.9)));
		figures.add(figure(rounds, ONCE, UPDATE, null));
		figures.add(figure(rounds, SHARDED_ONCE, UPDATE, Goal.atLeast(0.6)));
		figures.add(figure(rounds, SLOW_KEY, SHARDED_ONCE, Goal.atLeast(0.9)));
		figures.add(new Figure(name(), COST, rounds.median(COST), "µs", null, null));
		return figures;
	}

	private Figure figure(Rounds rounds, String what, String limit, @Nullable Goal goal) {
		return new Figure(name(), what, rounds.median(what), "messages/s", rounds.limit(what, limit, limit), goal);
	}

	private static void measure(Bench bench, int messages, Rounds rounds) throws InterruptedException {
		rounds.add(PLAIN, oneQueue(bench, OneQueue.class, new Consumption(messages, KEYS)));
		rounds.add(SHARDED, shards(bench, Shards.class, new Consumption(messages, KEYS)));
		int updates = messages / 5;
		double update = oneQueue(bench, OneQueue.class, new Consumption.Updating(updates, KEYS));
		double once = oneQueue(bench, OneQueueOnce.class, new Consumption.Updating(updates, KEYS));
		rounds.add(UPDATE, update);
		rounds.add(ONCE, once);
		rounds.add(COST, 1e6 / once - 1e6 / update);
		rounds.add(SHARDED_ONCE, shards(bench, ShardsOnce.class, new Consumption.Updating(updates, KEYS)));
		rounds.add(SLOW_KEY, shards(bench, ShardsOnce.class, new Consumption.Updating(updates, KEYS, SLOW_MILLIS)));
	}

	private static double oneQueue(Bench bench, Class<?> listener, Consumption consumption)
			throws InterruptedException {
		try (BenchQueue queue = BenchQueue.declare(bench.broker(), "quorum");
				Instance instance = instance(bench, listener, consumption).with("benchmark.queue", queue.name())
					.start()) {
			return consume(instance, queue, consumption, "", (key) -> queue.name());
		}
	}

	private static double shards(Bench bench, Class<?> listener, Consumption consumption) throws InterruptedException {
		String name = "outbox-benchmark-" + UUID.randomUUID();
		try (BenchQueue cleaning = BenchQueue.declare(bench.broker(), "classic");
				Instance instance = instance(bench, listener, consumption).with("outbox.rabbit.exchange", name)
					.with("outbox.rabbit.shards.name", name)
					.with("outbox.rabbit.shards.count", SHARDS)
					.start()) {
			try {
				return consume(instance, cleaning, consumption, name,
						(key) -> String.valueOf(key % ShardQueues.DEFAULT_PARTITIONS));
			}
			finally {
				instance.bean(RabbitListenerEndpointRegistry.class).stop();
				ShardQueues shards = instance.bean(ShardQueues.class);
				cleaning.deleteOthers(name, name + "." + SHARDS, shards.names());
				cleaning.deleteOthers(name, name, shards.deadLetters(), shards.members());
			}
		}
	}

	private static Instance.Builder instance(Bench bench, Class<?> listener, Consumption consumption) {
		return bench.instance(bench.freshDatabase())
			.with("outbox.enabled", false)
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.with("outbox.rabbit.shards.order", "partition-key")
			.with("spring.rabbitmq.listener.simple.auto-startup", false)
			.with("spring.rabbitmq.listener.simple.prefetch", PREFETCH)
			.with("spring.rabbitmq.listener.direct.auto-startup", false)
			.with("spring.rabbitmq.listener.direct.prefetch", PREFETCH)
			.withBean(consumption)
			.withSource(listener);
	}

	private static double consume(Instance instance, BenchQueue queue, Consumption consumption, String exchange,
			RoutingKeys routingKeys) throws InterruptedException {
		consumption.prepare(instance);
		fill(queue, consumption, exchange, routingKeys);
		RabbitListenerEndpointRegistry listeners = instance.bean(RabbitListenerEndpointRegistry.class);
		long start = System.nanoTime();
		listeners.start();
		return consumption.await() / ((System.nanoTime() - start) / 1e9);
	}

	private static void fill(BenchQueue queue, Consumption consumption, String exchange, RoutingKeys routingKeys) {
		Payloads payloads = new Payloads(400);
		CachingConnectionFactory factory = queue.connectionFactory();
		try {
			new RabbitTemplate(factory).invoke((operations) -> {
				for (int number = 0; number < consumption.messages(); number++) {
					int key = number % KEYS;
					operations.send(exchange, routingKeys.of(key),
							MessageBuilder.withBody(payloads.of(number))
								.setMessageId(UUID.randomUUID().toString())
								.setType("benchmark.message")
								.setContentType("application/json")
								.setDeliveryMode(MessageDeliveryMode.PERSISTENT)
								.setHeader("x-partition-key", String.valueOf(key))
								.build());
					if (number % 1_000 == 999) {
						operations.waitForConfirmsOrDie(CONFIRM_MILLIS);
					}
				}
				operations.waitForConfirmsOrDie(CONFIRM_MILLIS);
				return true;
			});
		}
		finally {
			factory.destroy();
		}
	}

	@FunctionalInterface
	private interface RoutingKeys {

		String of(int key);

	}

}
