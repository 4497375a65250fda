/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import com.rabbitmq.client.Channel;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A broker that is lost, and comes back.
 */
@Tag("order")
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class LostConnectionTests {

	private static final int KEYS = 20;

	// Of each kind: fifty together
	private static final int TIMES = 25;

	@Test
	void nothingIsLostOrOvertakenWhenTheConnectionIsCutAgainAndAgainUnderABatch() {
		long seed = System.nanoTime();
		System.out.println("Seed of the cuts: " + seed);
		Random random = new Random(seed);
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = recorded(queue, proxy).start();
				Publisher publisher = new Publisher(application)) {
			for (int cut = 1; cut <= TIMES; cut++) {
				int before = proxy.resets();
				proxy.resetAfter(500 + random.nextInt(20_000));
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.pollInterval(Duration.ofMillis(5))
					.until(() -> proxy.resets() > before);
			}
			everythingHasArrivedInOrder(publisher, queue);
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
		}
	}

	@Test
	void nothingIsLostOrOvertakenWhenTheChannelIsClosedAgainAndAgainUnderABatch() throws IOException {
		long seed = System.nanoTime();
		System.out.println("Seed of the closings: " + seed);
		Random random = new Random(seed);
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = recorded(queue, proxy).start()) {
			Queue<Channel> channels = new ConcurrentLinkedDeque<>();
			application.context()
				.getBean("outboxRabbitConnectionFactory", CachingConnectionFactory.class)
				.addChannelListener((channel, transactional) -> channels.add(channel));
			try (Publisher publisher = new Publisher(application)) {
				for (int closing = 0; closing < TIMES; closing++) {
					int arrivals = queue.arrivals().size() + 1 + random.nextInt(10);
					Awaitility.await()
						.atMost(Duration.ofSeconds(20))
						.pollInterval(Duration.ofMillis(1))
						.until(() -> queue.arrivals().size() >= arrivals
								&& channels.stream().anyMatch(Channel::isOpen));
					channels.removeIf((channel) -> !channel.isOpen());
					channels.remove().abort();
				}
				everythingHasArrivedInOrder(publisher, queue);
			}
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
		}
	}

	@Test
	void anOutageIsReportedOnceSpendsNoAttemptsAndEndsByItself(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = recorded(queue, proxy).start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			application.awaitEmpty();
			proxy.stop();
			for (int version = 2; version <= 50; version++) {
				application.publish(new OrderPlaced("a", version), new OrderPlaced("b" + version, 1));
			}
			Awaitility.await()
				.during(Duration.ofSeconds(3))
				.atMost(Duration.ofSeconds(20))
				.until(() -> application.depth() == 98);
			assertThat(occurrences(output, "The relay cannot work")).isOne();
			assertThat(output).doesNotContain("The relay works again");
			proxy.start();
			long back = System.nanoTime();
			application.awaitEmpty();
			assertThat(Duration.ofNanos(System.nanoTime() - back)).isLessThan(Duration.ofSeconds(4));
			Awaitility.await().until(() -> occurrences(output, "The relay works again") == 1);
			assertThat(occurrences(output, "The relay cannot work")).isOne();
			assertThat(queue.versionsOf("a")).containsExactlyElementsOf(IntStream.rangeClosed(1, 50).boxed().toList());
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
		}
	}

	@Test
	void aBrokerThatFallsSilentUnderABatchSpendsNoAttempts(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = recorded(queue, proxy).with("outbox.relay.confirm-timeout", "500ms")
					.with("outbox.relay.workers", 1)
					.with("outbox.relay.max-in-flight", 5)
					.start()) {
			application.publish(new OrderPlaced("warm-up", 1));
			application.awaitEmpty();
			proxy.freezeAfter(5000);
			application.publish(IntStream.range(0, 100).mapToObj((i) -> new OrderPlaced("key-" + i, 1)).toArray());
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> occurrences(output, "no confirm from the broker") > 0);
			assertThat(application.depth()).isBetween(1L, 99L);
			proxy.thaw();
			application.awaitEmpty();
			Awaitility.await().untilAsserted(() -> assertThat(queue.firstArrivals()).hasSize(101));
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
		}
	}

	@Test
	void anApplicationStartsAndPublishesWhileTheBrokerIsAway() {
		try (TestQueue queue = TestQueue.forEverything(); TcpProxy proxy = TcpProxy.toBroker()) {
			proxy.stop();
			try (OutboxApplication application = recorded(queue, proxy).start()) {
				application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2));
				assertThat(application.depth()).isEqualTo(2);
				proxy.start();
				application.awaitEmpty();
				queue.await(2);
				assertThat(queue.versionsOf("a")).containsExactly(1, 2);
			}
		}
	}

	private static Builder recorded(TestQueue queue, TcpProxy proxy) {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(queue)
			.brokerThrough(proxy)
			.with("outbox.relay.batch-size", 50)
			.with(RelayRecorder.class);
	}

	private static void everythingHasArrivedInOrder(Publisher publisher, TestQueue queue) {
		publisher.close();
		publisher.application.awaitEmpty();
		queue.await(publisher.ids.size());
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(queue.firstArrivals()).extracting(TestQueue.Arrival::messageId)
				.containsExactlyInAnyOrderElementsOf(publisher.ids));
		for (int key = 0; key < KEYS; key++) {
			assertThat(queue.versionsOf("order-" + key))
				.containsExactlyElementsOf(IntStream.rangeClosed(1, publisher.ids.size() / KEYS).boxed().toList());
		}
	}

	private static int occurrences(CapturedOutput output, String text) {
		return StringUtils.countOccurrencesOf(output.getAll(), text);
	}

	/**
	 * Publishes the next version of every order, over and over.
	 */
	private static final class Publisher implements AutoCloseable {

		private final List<String> ids = new CopyOnWriteArrayList<>();

		private final OutboxApplication application;

		private final Thread thread = new Thread(this::publish, "publisher");

		private volatile boolean stopped;

		Publisher(OutboxApplication application) {
			this.application = application;
			this.thread.start();
		}

		private void publish() {
			for (int version = 1; !this.stopped; version++) {
				int next = version;
				List<String> published = new ArrayList<>();
				this.application.inTransaction((outbox) -> {
					for (int key = 0; key < KEYS; key++) {
						published.add(outbox.publish(new OrderPlaced("order-" + key, next)).toString());
					}
				});
				this.ids.addAll(published);
				// A backlog that is always there, and never grows out of bounds
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.pollInterval(Duration.ofMillis(5))
					.until(() -> this.stopped || this.application.depth() < 10 * KEYS);
			}
		}

		@Override
		public void close() {
			this.stopped = true;
			try {
				this.thread.join(30_000);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
