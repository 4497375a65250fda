/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.FailedKey;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is stuck is said again and again, until nothing is stuck.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class StuckKeysLogTests {

	private final Database database = Servers.database().fresh();

	private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent line) {
			if (line.getFormattedMessage().startsWith("Outbox: ")) {
				StuckKeysLogTests.this.lines.add(line);
			}
		}

	};

	private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

	@BeforeEach
	void listen() {
		this.appender.setContext(this.root.getLoggerContext());
		this.appender.start();
	}

	@AfterEach
	void leave() {
		this.root.detachAppender(this.appender);
	}

	@Test
	void keysThatStayStuckAreSaidAgainWithTheirCausesAndDestinations() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = relaying(queue).start()) {
			this.root.addAppender(this.appender);
			application.publish(IntStream.range(0, 7).mapToObj((key) -> new OrderLost("lost-" + key, 1)).toArray());
			application.jdbc().sql("UPDATE outbox_message SET created_at = '2026-01-02 03:04:05'").update();
			// A line before that has another time
			ILoggingEvent line = awaitLine("7 partition key(s) stalled", "2026-01-02T03:04:05Z");
			assertThat(line.getLevel()).isEqualTo(Level.WARN);
			assertThat(line.getFormattedMessage()).contains("7 x exchange '%s': %s".formatted(queue.exchange(),
					Servers.broker().isRabbitMq() ? "returned" : "nacked"));
			assertThat(keyValues(line)).containsEntry("stalled_keys", 7L)
				.containsEntry("blocked_keys", 0L)
				.containsEntry("dead_letters", 0L);
			this.lines.clear();
			awaitLine("7 partition key(s) stalled");
			queue.bind("order.lost");
			application.awaitEmpty();
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> application.bean(OutboxAdministration.class).figures().stalled().count() == 0);
			this.lines.clear();
			Awaitility.await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(5)).until(this.lines::isEmpty);
		}
	}

	@Test
	void whatWasStuckBeforeIsSaidAtTheStart(CapturedOutput output) {
		try (OutboxApplication writer = OutboxApplication.on(this.database).withoutRelay().start()) {
			writer.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			FailedKey.fail(writer.jdbc(), "a", FailedKey.NEVER);
			try (TestQueue queue = TestQueue.forEverything();
					OutboxApplication application = OutboxApplication.on(this.database).sendingTo(queue).start()) {
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.until(() -> output.getAll().contains("1 blocked") && output.getAll().contains("no such exchange"));
				assertThat(application.count("partition_key = 'a'")).isOne();
			}
		}
	}

	@Test
	void ofManyInstancesOneSaysIt() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication first = relaying(queue).start();
				OutboxApplication second = relaying(queue).start();
				OutboxApplication third = relaying(queue).start()) {
			Awaitility.await().until(() -> third.bean(RelayWorkers.class).list().size() == 6);
			this.root.addAppender(this.appender);
			first.publish(new OrderLost("a", 1));
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.lines.size() >= 4);
			Duration between = Duration.ofMillis(this.lines.get(3).getTimeStamp() - this.lines.get(0).getTimeStamp());
			assertThat(between).as("four lines of one instance").isGreaterThan(Duration.ofMillis(2_500));
			assertThat(second.depth()).isOne();
		}
	}

	@Test
	void anOutageThatLastsIsSaidAgain() {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = OutboxApplication.on(this.database)
					.brokerThrough(proxy)
					.with("outbox.monitor.summary-interval", "1s")
					.start()) {
			this.root.addAppender(this.appender);
			proxy.stop();
			application.publish(new OrderPlaced("a", 1));
			ILoggingEvent line = awaitLine("nothing can be sent since");
			assertThat(line.getFormattedMessage()).contains("RabbitMQ");
			assertThat(keyValues(line)).containsKey("error");
		}
	}

	@Test
	void itCanBeSwitchedOff() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = relaying(queue).with("outbox.monitor.summary-interval", "0s").start()) {
			this.root.addAppender(this.appender);
			application.publish(new OrderLost(UUID.randomUUID().toString(), 1));
			Awaitility.await()
				.until(() -> application.bean(OutboxAdministration.class).figures().stalled().count() == 1);
			Awaitility.await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(4)).until(this.lines::isEmpty);
		}
	}

	private ILoggingEvent awaitLine(String... texts) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.lines.stream()
				.filter((line) -> Stream.of(texts).allMatch(line.getFormattedMessage()::contains))
				.findFirst(), Optional::isPresent)
			.orElseThrow();
	}

	private static Map<String, Object> keyValues(ILoggingEvent line) {
		return line.getKeyValuePairs().stream().collect(Collectors.toMap((pair) -> pair.key, (pair) -> pair.value));
	}

	private Builder relaying(TestQueue queue) {
		return OutboxApplication.on(this.database)
			.sendingTo(queue)
			.with("outbox.monitor.sample-interval", "1s")
			.with("outbox.monitor.heartbeat-interval", "1s")
			.with("outbox.monitor.summary-interval", "1s");
	}

}
