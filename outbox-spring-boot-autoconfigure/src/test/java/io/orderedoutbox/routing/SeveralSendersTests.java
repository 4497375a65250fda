/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.routing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.listen.ListenerMessageSender;
import io.orderedoutbox.listen.OutboxListener;
import io.orderedoutbox.listen.OutboxListeners;
import io.orderedoutbox.listen.PayloadReader;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestTopic;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * An application whose messages have different senders.
 */
@Tag("order")
@Tag("slow")
class SeveralSendersTests {

	private static OutboxApplication.Builder application() {
		return OutboxApplication.on(Servers.database().fresh())
			.with("outbox.retry.initial-interval", "100ms")
			.with("outbox.retry.max-interval", "500ms")
			.with("outbox.relay.poll-interval", "50ms");
	}

	private static OutboxApplication.Builder withKafka(TestTopic topic) {
		return application().with("outbox.senders[order.billed]", "kafka")
			.with("outbox.kafka.topic", topic.name())
			.with("spring.kafka.bootstrap-servers", Servers.kafka().bootstrapServers());
	}

	@Test
	void theNameOfAMessageChoosesItsSenderAndItsDestination() {
		try (TestQueue queue = TestQueue.forEverything();
				TestTopic topic = TestTopic.of(Servers.kafka());
				OutboxApplication application = withKafka(topic).sendingTo(queue)
					.with("outbox.senders[user.*]", "in_process")
					.with(Users.class)
					.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderBilled("a", 2), new UserCreated("b"));
			application.awaitEmpty();
			assertThat(queue.await(1)).extracting(TestQueue.Arrival::routingKey).containsExactly("order.placed");
			assertThat(topic.await(1)).extracting((arrival) -> TestTopic.header(arrival, "x-message-name"))
				.containsExactly("order.billed");
			assertThat(application.bean(Users.class).created).containsExactly(new UserCreated("b"));
		}
	}

	@Test
	void whileOneBrokerIsAwayTheKeysOfTheOtherGoOnAndNoMessageSpendsAnAttempt() {
		try (TestQueue queue = TestQueue.forEverything();
				TestTopic topic = TestTopic.of(Servers.kafka());
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = withKafka(topic).sendingTo(queue)
					.brokerThrough(proxy)
					.with(RelayRecorder.class)
					.start()) {
			application.publish(new OrderPlaced("rabbit", 1), new OrderBilled("kafka", 1), new OrderPlaced("both", 1),
					new OrderBilled("both", 2));
			queue.await(2);
			topic.await(2);
			proxy.stop();
			for (int version = 3; version <= 12; version++) {
				application.publish(new OrderPlaced("rabbit", version), new OrderBilled("kafka", version),
						(version % 2 == 1) ? new OrderPlaced("both", version) : new OrderBilled("both", version));
			}
			topic.await(12);
			assertThat(versions("kafka", topic)).as("keys of Kafka go on").hasSize(11).isSorted();
			assertThat(versions("both", topic)).as("what is behind a message of RabbitMQ waits").containsExactly(2);
			proxy.start();
			application.awaitEmpty();
			queue.await(17);
			assertThat(queue.versionsOf("rabbit")).containsExactly(1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
			assertThat(queue.versionsOf("both")).containsExactly(1, 3, 5, 7, 9, 11);
			topic.await(17);
			assertThat(versions("both", topic)).containsExactly(2, 4, 6, 8, 10, 12);
			assertThat(application.bean(RelayRecorder.class).failures())
				.filteredOn((failure) -> failure.fate() != Fate.POSTPONED)
				.isEmpty();
		}
	}

	@Test
	void aListenerThatTakesLongCostsABrokerNoConnectionAndNoMessageAnAttempt() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue)
					.with("outbox.senders[order.billed]", "in-process")
					.with("outbox.relay.workers", 1)
					.with(Slow.class, RelayRecorder.class)
					.start()) {
			for (int round = 1; round <= 3; round++) {
				application.publish(new OrderPlaced("a-" + round, round), new OrderBilled("b-" + round, round),
						new OrderPlaced("c-" + round, round));
			}
			application.awaitEmpty();
			assertThat(queue.await(6)).hasSize(6);
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
			assertThat(application.bean(Slow.class).taken).hasValue(3);
		}
	}

	/**
	 * Takes longer than the client of RabbitMQ may hold anything back.
	 */
	static class Slow {

		final AtomicInteger taken = new AtomicInteger();

		@OutboxListener
		void take(OrderBilled order) {
			this.taken.incrementAndGet();
			long end = System.nanoTime() + Duration.ofMillis(1500).toNanos();
			while (System.nanoTime() < end) {
				LockSupport.parkNanos(end - System.nanoTime());
			}
		}

	}

	@Test
	void aBrokerThatFallsSilentSpendsNoAttemptsWhileAnotherAnswers() {
		try (TestQueue queue = TestQueue.forEverything();
				TestTopic topic = TestTopic.of(Servers.kafka());
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = withKafka(topic).sendingTo(queue)
					.brokerThrough(proxy)
					.with("outbox.relay.confirm-timeout", "1s")
					.with("outbox.relay.workers", 2)
					.with(RelayRecorder.class)
					.start()) {
			application.publish(new OrderPlaced("rabbit-0", 1), new OrderBilled("kafka", 1));
			application.awaitEmpty();
			proxy.freeze();
			RelayRecorder recorder = application.bean(RelayRecorder.class);
			for (int key = 1; key <= 10; key++) {
				application.publish(new OrderPlaced("rabbit-" + key, 1));
			}
			AtomicInteger version = new AtomicInteger(1);
			Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(50)).until(() -> {
				application.publish(new OrderBilled("kafka", version.incrementAndGet()));
				return recorder.failures().size() >= 10;
			});
			assertThat(recorder.failures()).allMatch((failure) -> failure.fate() == Fate.POSTPONED);
			proxy.thaw();
			application.awaitEmpty();
			topic.await(version.get());
			assertThat(versions("kafka", topic)).isSorted().hasSize(version.get());
			queue.await(11);
		}
	}

	private static List<Integer> versions(String key, TestTopic topic) {
		return topic.firstArrivals()
			.stream()
			.filter((arrival) -> key.equals(arrival.key()))
			.map((arrival) -> Integer.valueOf(
					new String(arrival.value(), StandardCharsets.UTF_8).replaceAll(".*\"version\":(\\d+).*", "$1")))
			.toList();
	}

	@Test
	void aKeyKeepsItsOrderAcrossSendersOfWhichOneFailsAgainAndAgain() {
		int keys = 10;
		int versions = 15;
		try (OutboxApplication application = application().with("outbox.sender", "in-process")
			.with("outbox.senders[order.billed]", "unsteady")
			.with(Both.class, UnsteadySender.class)
			.start()) {
			for (int version = 1; version <= versions; version++) {
				List<Object> events = new ArrayList<>();
				for (int key = 0; key < keys; key++) {
					events.add((version % 3 == 0) ? new OrderBilled("order-" + key, version)
							: new OrderPlaced("order-" + key, version));
				}
				application.publish(events.toArray());
			}
			application.awaitEmpty();
			Map<String, List<Integer>> arrived = application.bean(Both.class).versions();
			for (int key = 0; key < keys; key++) {
				assertThat(arrived.get("order-" + key).stream().distinct())
					.containsExactlyElementsOf(IntStream.rangeClosed(1, versions).boxed().toList());
			}
		}
	}

	@Test
	void allSendersAwayIsAnOutageLikeAnyOther() {
		List<String> attempts = new ArrayList<>();
		MessageSender away = (work) -> {
			attempts.add("away");
			throw new TransportException("away", null);
		};
		MessageSender gone = (work) -> {
			attempts.add("gone");
			throw new TransportException("gone", null);
		};
		RoutingMessageSender sender = new RoutingMessageSender(new MessageNamePatterns<>(Map.of("order.*", gone), away),
				Duration.ofSeconds(5));
		for (int i = 0; i < 2; i++) {
			assertThatException().isThrownBy(() -> sender.withChannel((channel) -> attempts.add("used")))
				.isInstanceOf(TransportException.class);
		}
		assertThat(attempts).containsExactlyInAnyOrder("away", "gone", "away", "gone");
	}

	@Test
	void aSenderThatIsAwayIsNotAskedAgainForAMomentAndWhatTheRelayThrowsEndsAllChannels() {
		List<String> attempts = new ArrayList<>();
		MessageSender away = (work) -> {
			attempts.add("away");
			throw new TransportException("away", null);
		};
		MessageSender there = (work) -> work.accept(new SilentChannel());
		RoutingMessageSender sender = new RoutingMessageSender(
				new MessageNamePatterns<>(Map.of("order.*", away), there), Duration.ofSeconds(5));
		sender.withChannel((channel) -> attempts.add("used"));
		sender.withChannel((channel) -> attempts.add("used"));
		assertThat(attempts).containsExactly("away", "used", "used");
		assertThatException().isThrownBy(() -> sender.withChannel((channel) -> {
			throw new TransportException("the relay has waited for long enough", null);
		})).withMessage("the relay has waited for long enough");
	}

	@Test
	void pipelinedKeysAreRefused() {
		assertThatException()
			.isThrownBy(() -> application().with("outbox.senders[order.*]", "in-process")
				.with("outbox.relay.pipelined-keys", true)
				.start())
			.withStackTraceContaining("Remove outbox.relay.pipelined-keys");
	}

	@Test
	void aSenderThatDoesNotExistIsNamed() {
		assertThatException().isThrownBy(() -> application().with("outbox.senders[order.*]", "pigeon").start())
			.withStackTraceContaining("name the sender 'pigeon', but there is no such MessageSender bean");
	}

	@OutboxMessage("order.billed")
	record OrderBilled(@PartitionKey String orderId, int version) {
	}

	@OutboxMessage("user.created")
	record UserCreated(@PartitionKey String userId) {
	}

	static class Users {

		final List<UserCreated> created = new CopyOnWriteArrayList<>();

		@OutboxListener
		void created(UserCreated user) {
			this.created.add(user);
		}

	}

	static class Both {

		private final List<OrderPlaced> arrived = new CopyOnWriteArrayList<>();

		@OutboxListener({ "order.placed", "order.billed" })
		void take(OrderPlaced order) {
			this.arrived.add(order);
		}

		Map<String, List<Integer>> versions() {
			return this.arrived.stream()
				.collect(Collectors.groupingBy(OrderPlaced::orderId,
						Collectors.mapping(OrderPlaced::version, Collectors.toList())));
		}

	}

	/**
	 * Hands messages to the same listeners, and is lost after every third of them: before
	 * it has told of it.
	 */
	@Configuration(proxyBeanMethods = false)
	static class UnsteadySender {

		@Bean(defaultCandidate = false)
		static MessageSender unsteady(OutboxListeners listeners, PayloadReader reader) {
			MessageSender steady = new ListenerMessageSender(listeners, reader, UnaryOperator.identity(),
					Duration.ofSeconds(10));
			AtomicInteger outcomes = new AtomicInteger();
			return (work) -> steady.withChannel((channel) -> work.accept(new SendingChannel() {
				@Override
				public void send(StoredMessage message) {
					channel.send(message);
				}

				@Override
				public Outcome nextOutcome(Duration timeout) {
					Outcome outcome = channel.nextOutcome(timeout);
					if (outcome != null && outcomes.incrementAndGet() % 3 == 0) {
						throw new TransportException("lost", null);
					}
					return outcome;
				}
			}));
		}

	}

	private static final class SilentChannel implements SendingChannel {

		@Override
		public void send(StoredMessage message) {
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			return null;
		}

	}

}
