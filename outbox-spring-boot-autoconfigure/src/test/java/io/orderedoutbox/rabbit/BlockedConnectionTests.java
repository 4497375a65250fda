/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A broker that is short of memory: it says so, and reads nothing until it has enough
 * again. What it says comes from the proxy here, since the real one would block every
 * other test as well.
 */
@RequiresRabbitMq
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class BlockedConnectionTests {

	private static final String REASON = "low on memory";

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

	// Closing the connection properly is tried for five seconds; the rest is for a loaded
	// machine
	private static final Duration GRACE = Duration.ofSeconds(9);

	@Test
	void whileItLastsNothingIsSentNoAttemptIsSpentAndTheConnectionIsKept(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = application(Servers.database().fresh(), queue, proxy).start()) {
			application.publish(new OrderPlaced("a", 1));
			application.awaitEmpty();
			AtomicInteger connections = countConnections(application);
			block(proxy, queue);
			for (int version = 2; version <= 11; version++) {
				application.publish(new OrderPlaced("a", version), new OrderPlaced("b" + version, 1));
			}
			OutboxRelay relay = application.bean(OutboxRelay.class);
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.until(() -> String.valueOf(relay.outage()).contains(REASON));
			// Longer than the confirm timeout, and several rounds of the longest back-off
			Awaitility.await()
				.during(Duration.ofSeconds(4))
				.atMost(Duration.ofSeconds(10))
				.until(() -> application.depth() == 20 && queue.arrivals().size() == 1);
			assertThat(occurrences(output, "The relay cannot work")).isOne();
			assertThat(output).contains("The relay cannot work: ").contains(REASON);
			long unblocked = System.nanoTime();
			unblock(proxy);
			application.awaitEmpty();
			assertThat(Duration.ofNanos(System.nanoTime() - unblocked)).isLessThan(Duration.ofSeconds(2));
			Awaitility.await().untilAsserted(() -> assertThat(queue.firstArrivals()).hasSize(21));
			assertThat(queue.versionsOf("a")).hasSize(11).isSorted();
			Awaitility.await().until(() -> relay.outage() == null);
			assertThat(occurrences(output, "The relay cannot work")).isOne();
			assertThat(occurrences(output, "The relay works again")).isOne();
			assertThat(connections).hasValue(1);
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
		}
	}

	@Test
	void aWorkerThatWasSendingWhenItBeganLosesNothingAndOvertakesNothing() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = application(Servers.database().fresh(), queue, proxy)
					.with("outbox.relay.batch-size", 100)
					.start()) {
			AtomicInteger connections = countConnections(application);
			int versions = 0;
			for (int round = 1; round <= 5; round++) {
				for (int i = 0; i < 20; i++) {
					int version = ++versions;
					application.publish(IntStream.range(0, 20)
						.mapToObj((key) -> new OrderPlaced("order-" + key, version))
						.toArray());
				}
				block(proxy, queue);
				Awaitility.await()
					.atMost(Duration.ofSeconds(10))
					.until(() -> application.bean(OutboxRelay.class).outage() != null || application.depth() == 0);
				unblock(proxy);
			}
			application.awaitEmpty();
			int published = 20 * versions;
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(queue.firstArrivals()).hasSize(published));
			for (int key = 0; key < 20; key++) {
				assertThat(queue.versionsOf("order-" + key))
					.containsExactlyElementsOf(IntStream.rangeClosed(1, versions).boxed().toList());
			}
			assertThat(connections).hasValue(1);
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
		}
	}

	// Its number could go to another channel, and the broker would end the connection
	@Test
	void aChannelIsNotForgottenBeforeTheBrokerHasClosedIt() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = application(Servers.database().fresh(), queue, proxy)
					.with("outbox.relay.confirm-timeout", "8s")
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			application.awaitEmpty();
			proxy.holdRequests();
			application.publish(new OrderPlaced("a", 2));
			Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> isAnyWorkerIn("RabbitSendingChannel.poll"));
			proxy.reply(blocked());
			Awaitility.await()
				.during(Duration.ofMillis(500))
				.atMost(Duration.ofSeconds(5))
				.until(BlockedConnectionTests::isAnyChannelBeingClosed);
			unblock(proxy);
			application.awaitEmpty();
			queue.await(2);
		}
	}

	private static boolean isAnyChannelBeingClosed() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals("outbox-relay-channel-close"));
	}

	@Test
	void aStopMeanwhileEndsInTimeAndTheNextStartGoesOn() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = application(Servers.database().fresh(), queue, proxy).start()) {
			application.publish(new OrderPlaced("a", 1));
			application.awaitEmpty();
			block(proxy, queue);
			application.publish(new OrderPlaced("a", 2), new OrderPlaced("b", 1));
			OutboxRelay relay = application.bean(OutboxRelay.class);
			Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> relay.outage() != null);
			Duration stop = time(relay::stop);
			assertThat(stop).isLessThan(STOP_TIMEOUT.plusSeconds(2));
			unblock(proxy);
			relay.start();
			application.awaitEmpty();
			queue.await(3);
			assertThat(queue.versionsOf("a")).containsExactly(1, 2);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void closingTheApplicationWhileAWorkerIsStuckInAWriteEndsInTime(boolean told) {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything(); TcpProxy proxy = TcpProxy.toBroker()) {
			try (OutboxApplication application = application(database, queue, proxy).start()) {
				application.publish(new OrderPlaced("a", 1));
				application.awaitEmpty();
				proxy.holdRequests();
				String large = "x".repeat(500_000);
				for (int i = 0; i < 4; i++) {
					application.inTransaction((outbox) -> {
						for (int message = 0; message < 10; message++) {
							outbox.publish(new OrderLost(large, message), PartitionKeyStamp.none());
						}
					});
				}
				application.publish(new OrderPlaced("a", 2));
				Awaitility.await()
					.atMost(Duration.ofSeconds(10))
					.until(() -> isAnyWorkerIn("SocketOutputStream") || isAnyWorkerIn("NioSocketImpl.write")
							|| isAnyWorkerIn("basicPublish"));
				if (told) {
					proxy.reply(blocked());
				}
				Duration close = time(application::close);
				System.out.printf("Closed after %d ms%n", close.toMillis());
				assertThat(close).isLessThan(STOP_TIMEOUT.plus(GRACE));
			}
			Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !isAnyWorkerIn("io.orderedoutbox"));
			proxy.reset();
			proxy.thaw();
			try (OutboxApplication next = application(database, queue, proxy).start()) {
				next.awaitEmpty();
				Awaitility.await().untilAsserted(() -> assertThat(queue.firstArrivals()).hasSize(42));
				assertThat(queue.versionsOf("a")).containsExactly(1, 2);
			}
		}
	}

	private static Builder application(Database database, TestQueue queue, TcpProxy proxy) {
		return OutboxApplication.on(database)
			.sendingTo(queue)
			.brokerThrough(proxy)
			.with(RelayRecorder.class)
			.with("outbox.relay.poll-interval", "100ms")
			.with("outbox.relay.confirm-timeout", "2s")
			.with("outbox.relay.stop-timeout", STOP_TIMEOUT);
	}

	private static AtomicInteger countConnections(OutboxApplication application) {
		AtomicInteger connections = new AtomicInteger();
		CachingConnectionFactory factory = application.context()
			.getBean("outboxRabbitConnectionFactory", CachingConnectionFactory.class);
		// A listener that is added while a connection is made hears of it twice
		factory.createConnection();
		factory.addConnectionListener((connection) -> connections.incrementAndGet());
		return connections;
	}

	// First it stops reading, then it tells
	private static void block(TcpProxy proxy, TestQueue queue) {
		proxy.holdRequests();
		int[] arrivals = { -1 };
		Awaitility.await().pollInterval(Duration.ofMillis(200)).until(() -> {
			int before = arrivals[0];
			arrivals[0] = queue.arrivals().size();
			return arrivals[0] == before;
		});
		proxy.reply(blocked());
	}

	private static void unblock(TcpProxy proxy) {
		proxy.reply(method(10, 61, new byte[0]));
		proxy.thaw();
	}

	private static byte[] blocked() {
		byte[] reason = REASON.getBytes(StandardCharsets.US_ASCII);
		return method(10, 60, ByteBuffer.allocate(1 + reason.length).put((byte) reason.length).put(reason).array());
	}

	// A method frame of AMQP 0-9-1 on channel 0
	private static byte[] method(int classId, int methodId, byte[] arguments) {
		return ByteBuffer.allocate(12 + arguments.length)
			.put((byte) 1)
			.putShort((short) 0)
			.putInt(4 + arguments.length)
			.putShort((short) classId)
			.putShort((short) methodId)
			.put(arguments)
			.put((byte) 0xCE)
			.array();
	}

	private static boolean isAnyWorkerIn(String code) {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((thread) -> thread.getKey().getName().matches("outbox-relay-\\d+"))
			.flatMap((thread) -> Arrays.stream(thread.getValue()))
			.anyMatch((frame) -> frame.toString().contains(code));
	}

	private static Duration time(Runnable work) {
		long start = System.nanoTime();
		work.run();
		return Duration.ofNanos(System.nanoTime() - start);
	}

	private static int occurrences(CapturedOutput output, String text) {
		return StringUtils.countOccurrencesOf(output.getAll(), text);
	}

}
