/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.orderedoutbox.monitor.BacklogSampler;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.SentStatements;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TerminalSummary}: a real relay, seen on an emulated terminal.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
@Tag("thorough")
class TerminalSummaryTests {

	private final Database database = Servers.database().fresh();

	private final EmulatedTerminal terminal = new EmulatedTerminal(24, 120);

	@Test
	void withoutATerminalThereIsNothing(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = application(queue).start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			assertThat(application.bean(TerminalSummary.class).isRunning()).isFalse();
			assertThat(threads()).isEmpty();
			assertThat(output.getAll()).doesNotContain("workers busy");
		}
	}

	@Test
	void showsWhatTheRelayDoesAndAsksNoDatabaseForIt() {
		StatementsByThread.SENT_BY.clear();
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue)
					.withJdbcOption("queryInterceptors", StatementsByThread.class.getName())
					.start()) {
			TerminalSummary summary = summary(application);
			summary.start();
			awaitText("Outbox relay running", "of 2 workers busy", "0 of 0 left   lag 0s", "failed attempts 0");
			UUID lost = application.publish(new OrderLost("a", 1));
			application.publish(IntStream.range(0, 30).mapToObj((i) -> (Object) new OrderPlaced("b" + i, 1)).toArray());
			application.publish(new OrderPlaced("a", 2), new OrderPlaced("a", 3));
			queue.await(30);
			awaitText("failed attempts 1", "keys: 1 stalled, 0 blocked", lost + ": ", "3 of ");
			assertThat(this.terminal.text()).doesNotContain("orderId")
				.containsPattern("published [1-9][0-9.]*/s in 10s");
			this.terminal.log("a line of the log");
			summary.stop();
			assertThat(this.terminal.text().strip()).isEqualTo("a line of the log");
			assertThat(threads()).isEmpty();
			assertThat(StatementsByThread.SENT_BY).isNotEmpty().doesNotContain("outbox-terminal");
		}
	}

	@Test
	void canBeStoppedAndStartedAgain() {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = application(queue).start()) {
			TerminalSummary summary = summary(application);
			for (int round = 0; round < 3; round++) {
				summary.start();
				summary.start();
				assertThat(summary.isRunning()).isTrue();
				assertThat(threads()).hasSize(1);
				awaitText("Outbox relay running");
				summary.stop();
				summary.stop();
				assertThat(summary.isRunning()).isFalse();
				assertThat(threads()).isEmpty();
				assertThat(this.terminal.text()).isBlank();
			}
		}
	}

	@Test
	void aDatabaseThatIsAwayIsUnknownAndNoZero() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				TcpProxy proxy = TcpProxy.to(this.database);
				OutboxApplication application = application(queue).databaseThrough(proxy).start()) {
			TerminalSummary summary = summary(application);
			summary.start();
			application.publish(new OrderLost("a", 1));
			awaitText("backlog [", "keys: 1 stalled");
			proxy.stop();
			awaitText("backlog unknown   lag unknown", "keys: stalled unknown, blocked unknown", "cannot work for ");
			assertThat(this.terminal.text()).doesNotContain("backlog [", "0 stalled");
			proxy.start();
			awaitText("backlog [", "keys: 1 stalled");
			summary.stop();
		}
	}

	@Test
	void followsTheSizeOfTheTerminal() {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = application(queue).start()) {
			TerminalSummary summary = summary(application);
			summary.start();
			awaitText("Outbox relay running");
			this.terminal.resize(30, 60);
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> this.terminal.bottom(4).get(0).matches("-- Outbox relay running.*-")
						&& this.terminal.bottom(4).get(0).length() == 60);
			summary.stop();
		}
	}

	@Test
	void aTerminalThatIsGoneHarmsNobody(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = application(queue).start()) {
			TerminalSummary summary = summary(application, new BrokenTerminal());
			summary.start();
			Awaitility.await().until(() -> threads().isEmpty());
			assertThat(output).containsOnlyOnce("The summary on the terminal has failed");
			summary.stop();
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
		}
	}

	private OutboxApplication.Builder application(TestQueue queue) {
		return OutboxApplication.on(this.database)
			.sendingTo(queue)
			.with("outbox.terminal.enabled", "true")
			.with("outbox.monitor.sample-interval", "1s")
			.with("outbox.retry.initial-interval", "1h")
			.with("outbox.retry.max-interval", "1h")
			.with("spring.datasource.hikari.connection-timeout", "1000");
	}

	private TerminalSummary summary(OutboxApplication application) {
		return summary(application, this.terminal);
	}

	private static TerminalSummary summary(OutboxApplication application, Terminal terminal) {
		return new TerminalSummary(application.bean(OutboxRelay.class)::status,
				application.bean(BacklogSampler.class)::current, application.bean(RecentFailures.class), terminal);
	}

	private void awaitText(String... texts) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.terminal.text()).contains(texts));
	}

	private static List<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("outbox-terminal"))
			.toList();
	}

	/**
	 * Remembers who has sent statements.
	 */
	public static class StatementsByThread extends SentStatements {

		private static final Queue<String> SENT_BY = new ConcurrentLinkedQueue<>();

		@Override
		protected void sent(Supplier<String> sql) {
			SENT_BY.add(Thread.currentThread().getName());
		}

	}

	private static final class BrokenTerminal implements Terminal {

		@Override
		public Size size() {
			return new Size(24, 80);
		}

		@Override
		public boolean canShow(char character) {
			return true;
		}

		@Override
		public void write(String text) throws java.io.IOException {
			throw new java.io.IOException("Input/output error");
		}

	}

}
