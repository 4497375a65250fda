package io.orderedoutbox.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.ConsumeOkEvent;
import org.springframework.context.event.EventListener;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queues of shards move to an instance that comes, on a real RabbitMQ 4, and each message
 * is delivered once and in order meanwhile.
 */
@RequiresRabbitMq
@Timeout(90)
class ShardBalanceTests {

	private static final int QUEUES = 32;

	private final Database database = Servers.database().fresh();

	private final String name = "outbox-test-" + UUID.randomUUID();

	private final ShardQueues shards = ShardQueues.of(this.name, this.name, QUEUES);

	private Connection connection;

	private Channel channel;

	private int published;

	@BeforeEach
	void connect() throws Exception {
		Deliveries.ALL.clear();
		Deliveries.GATE.drainPermits();
		this.connection = TestQueue.connect("outbox-test");
		this.channel = this.connection.createChannel();
		this.channel.confirmSelect();
	}

	@AfterEach
	void delete() throws Exception {
		for (String queue : this.shards.names()) {
			this.channel.queueDelete(queue);
		}
		this.channel.queueDelete(this.shards.deadLetters());
		this.channel.exchangeDelete(this.shards.marker());
		this.channel.exchangeDelete(this.name);
		this.connection.close();
	}

	@Test
	void queuesMoveToAnInstanceThatComesWithoutAMessageBeingDeliveredTwiceOrTooEarly() throws Exception {
		try (OutboxApplication first = application().start()) {
			publish(20);
			// It has fetched ten of each queue, and processes the first of some
			for (String queue : this.shards.names()) {
				Awaitility.await().until(() -> this.channel.messageCount(queue) == 10);
			}
			Awaitility.await().until(Deliveries.GATE::hasQueuedThreads);
			try (OutboxApplication second = application().start()) {
				Awaitility.await().until(() -> second.bean(Listener.class).consumed.size() == QUEUES);
				Deliveries.GATE.release(1_000_000);
				awaitDelivered();
				publish(5);
				awaitDelivered();
				assertInOrderAndOnce();
				// Each queue is at the second one with a probability of one half
				assertThat(Deliveries.queuesOf(second.bean(Listener.class))).hasSizeBetween(4, 28);
				assertThat(Deliveries.queuesOf(first.bean(Listener.class))).hasSizeBetween(4, 28);
			}
			publish(5);
			awaitDelivered();
			assertInOrderAndOnce();
		}
	}

	@Test
	void allQueuesAreProcessedAtTheSameTimeIfSoManyMessagesMayBe() throws Exception {
		try (OutboxApplication application = application().with("outbox.rabbit.shards.concurrency", QUEUES).start()) {
			publish(1);
			Awaitility.await().until(() -> Deliveries.GATE.getQueueLength() == QUEUES);
			assertThat(Deliveries.queuesOf(application.bean(Listener.class))).isEmpty();
			Deliveries.GATE.release(QUEUES);
			awaitDelivered();
		}
	}

	private void publish(int count) throws Exception {
		for (int number = 0; number < count; number++) {
			for (int partition = 0; partition < QUEUES; partition++) {
				this.channel.basicPublish(this.name, String.valueOf(partition), null,
						String.valueOf(this.published).getBytes(UTF_8));
			}
			this.published++;
		}
		this.channel.waitForConfirmsOrDie();
	}

	private void awaitDelivered() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> Deliveries.ALL.values().stream().mapToInt(List::size).sum() >= QUEUES * this.published);
	}

	private void assertInOrderAndOnce() {
		assertThat(Deliveries.ALL).hasSize(QUEUES)
			.allSatisfy((queue, all) -> assertThat(all.stream().map(Delivered::number))
				.containsExactlyElementsOf(IntStream.range(0, this.published).boxed().toList()));
	}

	private OutboxApplication.Builder application() {
		return OutboxApplication.on(this.database)
			.with("outbox.enabled", false)
			.with("outbox.rabbit.shards.exchange", this.name)
			.with("outbox.rabbit.shards.name", this.name)
			.with("outbox.rabbit.shards.count", QUEUES)
			.with("spring.rabbitmq.listener.direct.prefetch", 10)
			.with(Listener.class);
	}

	record Delivered(Listener listener, int number) {

	}

	static final class Deliveries {

		static final Map<String, List<Delivered>> ALL = new ConcurrentHashMap<>();

		static final Semaphore GATE = new Semaphore(0);

		private Deliveries() {
		}

		static void add(Listener listener, Message message) {
			ALL.computeIfAbsent(message.getMessageProperties().getConsumerQueue(),
					(queue) -> Collections.synchronizedList(new ArrayList<>()))
				.add(new Delivered(listener, Integer.parseInt(new String(message.getBody(), UTF_8))));
		}

		static Set<String> queuesOf(Listener listener) {
			Set<String> queues = ConcurrentHashMap.newKeySet();
			ALL.forEach((queue, all) -> {
				if (all.get(all.size() - 1).listener() == listener) {
					queues.add(queue);
				}
			});
			return queues;
		}

	}

	static class Listener {

		private final Set<String> consumed = ConcurrentHashMap.newKeySet();

		@EventListener
		public void on(ConsumeOkEvent event) {
			this.consumed.add(event.getQueue());
		}

		@RabbitListener(queues = "#{@shardQueues.names()}", containerFactory = "shardListenerContainerFactory")
		public void on(Message message) throws InterruptedException {
			Deliveries.GATE.acquire();
			Deliveries.add(this, message);
		}

	}

}
