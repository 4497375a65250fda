/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.annotation.Value;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How several instances share the queues of shards, on a real RabbitMQ.
 */
@RequiresRabbitMq
@Timeout(120)
@Tag("thorough")
class ShardBalanceTests {

	private static final int SHARDS = 6;

	private static final List<Delivery> DELIVERIES = new CopyOnWriteArrayList<>();

	private static final Set<String> NOW = ConcurrentHashMap.newKeySet();

	private static final Set<String> TOGETHER = ConcurrentHashMap.newKeySet();

	private static volatile CountDownLatch gate = new CountDownLatch(0);

	private final Database database = Servers.database().fresh();

	private final String name = "outbox-test-" + UUID.randomUUID();

	private final ShardQueues shards = ShardQueues.of(this.name, this.name, SHARDS);

	private final List<OutboxApplication> applications = new ArrayList<>();

	private final AtomicBoolean isPublishing = new AtomicBoolean(true);

	private Connection connection;

	private Channel channel;

	private int published;

	@BeforeEach
	void connect() throws Exception {
		DELIVERIES.clear();
		NOW.clear();
		TOGETHER.clear();
		gate = new CountDownLatch(0);
		this.connection = TestQueue.connect("outbox-test");
		this.channel = this.connection.createChannel();
		this.channel.confirmSelect();
	}

	@AfterEach
	void delete() throws Exception {
		this.applications.forEach(OutboxApplication::close);
		for (String queue : this.shards.names()) {
			this.channel.queueDelete(queue);
		}
		this.channel.queueDelete(this.shards.deadLetters());
		this.channel.queueDelete(this.shards.members());
		this.channel.exchangeDelete(this.shards.name() + "." + this.shards.count());
		this.channel.exchangeDelete(this.name);
		this.connection.close();
	}

	@Test
	void instancesThatJoinGetTheirShareAndThoseThatLeaveGiveItBackInOrder() throws Exception {
		start("one");
		Thread publisher = publisher();
		awaitShares(6);
		start("two");
		awaitShares(3, 3);
		start("three");
		awaitShares(2, 2, 2);
		this.applications.remove(0).close();
		awaitShares(3, 3);
		this.applications.remove(0).close();
		awaitShares(6);
		this.isPublishing.set(false);
		publisher.join();
		assertAllInOrder();
	}

	@Test
	void whatIsProcessedWhenAQueueIsLeftEndsBeforeTheNextInstanceBegins() throws Exception {
		start("one");
		gate = new CountDownLatch(1);
		publishToAll();
		publishToAll();
		Awaitility.await().until(() -> NOW.size() == SHARDS);
		start("two");
		// Three times as long as it takes to leave them
		Awaitility.await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
		assertThat(DELIVERIES).isEmpty();
		gate.countDown();
		Thread publisher = publisher();
		awaitShares(3, 3);
		this.isPublishing.set(false);
		publisher.join();
		assertAllInOrder();
	}

	@Test
	void aQueueThatIsRemovedFromAContainerIsLeftInOrderToo() throws Exception {
		start("one");
		start("two");
		gate = new CountDownLatch(1);
		for (int round = 0; round < 20; round++) {
			publishToAll();
		}
		Awaitility.await().until(() -> NOW.size() == SHARDS);
		Thread removing = new Thread(() -> container(0).removeQueueNames(this.shards.names()));
		removing.start();
		Awaitility.await().until(() -> removing.getState() == Thread.State.WAITING);
		assertThat(DELIVERIES).isEmpty();
		gate.countDown();
		removing.join();
		assertAllInOrder();
		assertThat(shares(0)).containsExactlyInAnyOrder(6);
		assertThat(DELIVERIES.stream().map(Delivery::instance).distinct()).containsExactly("one", "two");
	}

	@Test
	void anInstanceThatJoinsGetsItsShareThoughAllMessagesAreHandedOut() throws Exception {
		start("one");
		gate = new CountDownLatch(1);
		for (int round = 0; round < 20; round++) {
			publishToAll();
		}
		Awaitility.await().until(() -> ready() == 0);
		// As long as what was handed out counts by itself
		Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
		start("two");
		// One message of each queue is being processed, and all others of three go back
		Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
		gate.countDown();
		assertAllInOrder();
		assertThat(DELIVERIES.stream().map(Delivery::instance)).contains("two");
	}

	private int ready() throws Exception {
		int ready = 0;
		for (String queue : this.shards.names()) {
			ready += (int) this.channel.messageCount(queue);
		}
		return ready;
	}

	@Test
	void anInstanceThatHasNoQueueLeftIsNoMember() throws Exception {
		start("one");
		start("two");
		String members = this.shards.members();
		Awaitility.await().until(() -> this.channel.consumerCount(members) == 2);
		container(0).removeQueueNames(this.shards.names());
		Awaitility.await().until(() -> this.channel.consumerCount(members) == 1);
		container(0).addQueueNames(this.shards.names()[0]);
		Awaitility.await().until(() -> this.channel.consumerCount(members) == 2);
	}

	@Test
	void listenersThatShareTheQueuesLeaveNone() throws Exception {
		start("one", "100ms", Halves.class);
		Thread publisher = publisher();
		Awaitility.await().until(() -> shares(1).equals(List.of(6)));
		long queues = DELIVERIES.stream().map(Delivery::tag).distinct().count();
		// Twenty looks
		Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
		this.isPublishing.set(false);
		publisher.join();
		assertAllInOrder();
		assertThat(queues).isEqualTo(SHARDS);
		assertThat(DELIVERIES.stream().map(Delivery::tag).distinct()).hasSize(SHARDS);
	}

	// Which is the queue that its dead letters are replayed by
	@Test
	void aListenerIsFoundWhichHasLeftItsFirstQueue() throws Exception {
		start("one");
		ShardListenerContainerFactory factory = this.applications.get(0).bean(ShardListenerContainerFactory.class);
		container(0).removeQueueNames(this.shards.names()[0]);
		assertThat(factory.listenersOf(this.shards)).singleElement().isSameAs(container(0));
	}

	@Test
	void withoutAnIntervalTheInstanceThatWasThereKeepsAll() throws Exception {
		start("one", "0s");
		start("two", "0s");
		Thread publisher = publisher();
		Awaitility.await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
		this.isPublishing.set(false);
		publisher.join();
		assertAllInOrder();
		assertThat(DELIVERIES).allMatch((delivery) -> delivery.instance().equals("one"));
	}

	@Test
	void aContainerThatStopsWhileItLeavesAQueueConsumesFromAllWhenItStartsAgain() throws Exception {
		start("one");
		gate = new CountDownLatch(1);
		publishToAll();
		Awaitility.await().until(() -> NOW.size() == SHARDS);
		start("two");
		Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
		Thread stopping = new Thread(() -> container(0).stop());
		stopping.start();
		Awaitility.await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
		gate.countDown();
		stopping.join();
		container(0).start();
		this.applications.remove(1).close();
		publishToAll();
		assertAllInOrder();
		assertThat(container(0).getQueueNames()).contains(this.shards.names());
	}

	private AbstractMessageListenerContainer container(int application) {
		return (AbstractMessageListenerContainer) new ArrayList<MessageListenerContainer>(
				this.applications.get(application).bean(RabbitListenerEndpointRegistry.class).getListenerContainers())
			.get(0);
	}

	// Of the last second: how many queues each instance was handed messages of
	private void awaitShares(Integer... expected) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(shares(1)).containsExactlyInAnyOrder(expected));
	}

	private List<Integer> shares(int seconds) {
		long since = (seconds == 0) ? Long.MIN_VALUE : System.nanoTime() - TimeUnit.SECONDS.toNanos(seconds);
		Map<String, Set<String>> queues = new ConcurrentHashMap<>();
		List<Delivery> all = new ArrayList<>(DELIVERIES);
		Map<String, String> lastOwner = new ConcurrentHashMap<>();
		all.forEach((delivery) -> lastOwner.put(delivery.queue(), delivery.instance()));
		all.stream()
			.filter((delivery) -> seconds == 0 || delivery.nanoTime() - since > 0)
			.filter((delivery) -> seconds > 0 || lastOwner.get(delivery.queue()).equals(delivery.instance()))
			.forEach((delivery) -> queues.computeIfAbsent(delivery.instance(), (any) -> new TreeSet<>())
				.add(delivery.queue()));
		return queues.values().stream().map(Set::size).toList();
	}

	private void assertAllInOrder() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> DELIVERIES.stream().map(Delivery::text).distinct().count() == (long) this.published * SHARDS);
		for (String queue : this.shards.names()) {
			List<String> expected = new ArrayList<>();
			for (int number = 1; number <= this.published; number++) {
				expected.add(queue + " " + number);
			}
			assertThat(DELIVERIES.stream().filter((delivery) -> delivery.queue().equals(queue)).map(Delivery::text))
				.containsExactlyElementsOf(expected);
		}
		assertThat(TOGETHER).isEmpty();
	}

	private Thread publisher() {
		Thread publisher = new Thread(() -> {
			while (this.isPublishing.get()) {
				publishToAll();
			}
		});
		publisher.start();
		return publisher;
	}

	private void publishToAll() {
		try {
			this.published++;
			for (int shard = 0; shard < SHARDS; shard++) {
				String text = this.shards.queueOf(shard) + " " + this.published;
				this.channel.basicPublish(this.name, String.valueOf(shard),
						new BasicProperties.Builder().messageId(text).build(), text.getBytes());
			}
			this.channel.waitForConfirmsOrDie(10_000);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void start(String instance) {
		start(instance, "500ms");
	}

	private void start(String instance, String interval) {
		start(instance, interval, Listener.class);
	}

	private void start(String instance, String interval, Class<?> listener) {
		this.applications.add(OutboxApplication.on(this.database)
			.with("outbox.enabled", false)
			.with("test.instance", instance)
			.with("outbox.rabbit.shards.exchange", this.name)
			.with("outbox.rabbit.shards.name", this.name)
			.with("outbox.rabbit.shards.count", SHARDS)
			.with("outbox.rabbit.shards.balance-interval", interval)
			.with(listener)
			.start());
	}

	private record Delivery(String instance, String queue, String text, String tag, long nanoTime) {

	}

	private static void process(String instance, Message message) throws InterruptedException {
		String queue = message.getMessageProperties().getConsumerQueue();
		if (!NOW.add(queue)) {
			TOGETHER.add(queue);
		}
		gate.await();
		DELIVERIES.add(new Delivery(instance, queue, new String(message.getBody()),
				message.getMessageProperties().getConsumerTag(), System.nanoTime()));
		NOW.remove(queue);
	}

	static class Listener {

		@Value("${test.instance}")
		private String instance;

		@RabbitListener(queues = "#{@shardQueues.names()}", containerFactory = "shardListenerContainerFactory")
		void on(Message message) throws InterruptedException {
			process(this.instance, message);
		}

	}

	static class Halves {

		@RabbitListener(
				queues = { "#{@shardQueues.names()[0]}", "#{@shardQueues.names()[1]}", "#{@shardQueues.names()[2]}" },
				containerFactory = "shardListenerContainerFactory")
		void on(Message message) throws InterruptedException {
			process("one", message);
		}

		@RabbitListener(
				queues = { "#{@shardQueues.names()[3]}", "#{@shardQueues.names()[4]}", "#{@shardQueues.names()[5]}" },
				containerFactory = "shardListenerContainerFactory")
		void onOther(Message message) throws InterruptedException {
			process("one", message);
		}

	}

}
