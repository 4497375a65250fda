/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An ordinary application in a process of its own with
 * {@code outbox.terminal.enabled=true}: in a pseudo-terminal of the operating system,
 * which {@code script} of util-linux makes, and with its output in a file.
 */
@Tag("slow")
@Tag("thorough")
class PseudoTerminalTests {

	private final Database database = Servers.database().fresh();

	private TestQueue queue;

	private OutboxApplication writer;

	@BeforeEach
	void start() {
		this.queue = TestQueue.bound("order.placed");
		this.writer = OutboxApplication.on(this.database).withoutRelay().sendingTo(this.queue).start();
	}

	@AfterEach
	void stop() {
		this.writer.close();
		this.queue.close();
	}

	@Test
	void theSummaryStandsBelowTheLogAndIsGoneAfterControlC() throws Exception {
		Assumptions.assumeTrue(isThere("script") && isThere("stty"),
				"'script' of util-linux, which makes a pseudo-terminal, is not on the path");
		UUID lost = publish();
		try (WatchedProcess process = WatchedProcess.inATerminal(this.database, this.queue)) {
			Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
				List<String> summary = process.screen().bottom(5);
				assertThat(summary.get(0)).matches("\u2500\u2500 Outbox relay running, \\d of 2 workers busy \u2500+");
				assertThat(summary.get(1)).matches(" backlog \\[[\u2588\u2591]{40}] \\d+ %   10 of \\d+ left   lag 0s");
				assertThat(summary.get(2)).matches(" published \\d+\\.\\d/s in 10s, .*   failed attempts 1");
				assertThat(summary.get(3)).isEqualTo(" keys: 1 stalled, 0 blocked   dead letters 0");
				assertThat(summary.get(4)).matches(" \\d+s ago  " + lost + ": .+");
				assertThat(process.screen().text()).containsPattern("Outbox relay started with 2 workers\n")
					.containsPattern("Started HeadlessApplication in .* seconds .*\n");
			});
			assertThat(process.output()).doesNotContain("orderId");
			assertThat(process.pressControlC()).isEqualTo(128 + 2);
			EmulatedTerminal left = process.screen();
			assertThat(left.text()).contains("Outbox relay started with 2 workers", "Outbox relay stopped")
				.doesNotContain("backlog", "busy");
			IntStream.range(0, WatchedProcess.ROWS).forEach((line) -> left.log("after it"));
			assertThat(left.bottom(WatchedProcess.ROWS)).startsWith("after it").endsWith("after it", "");
		}
	}

	@Test
	void aFileGetsNothingOfIt() throws Exception {
		publish();
		try (WatchedProcess process = WatchedProcess.withoutATerminal(this.database, this.queue)) {
			Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
				assertThat(process.output()).contains("Started HeadlessApplication");
				assertThat(this.queue.arrivals()).as(process.output()).hasSizeGreaterThanOrEqualTo(20);
			});
			assertThat(process.terminate()).isEqualTo(128 + 15);
			assertThat(process.output()).contains("Outbox relay stopped").doesNotContain("\u001b", "busy", "backlog");
		}
	}

	// 20 that can be sent, and one that cannot with 9 behind it
	private UUID publish() {
		this.writer.publish(IntStream.range(0, 20).mapToObj((i) -> (Object) new OrderPlaced("a" + i, 1)).toArray());
		UUID lost = this.writer.publish(new OrderLost("b", 1));
		this.writer.publish(IntStream.range(0, 9).mapToObj((i) -> (Object) new OrderPlaced("b", i)).toArray());
		return lost;
	}

	private static boolean isThere(String command) {
		return Pattern.compile(File.pathSeparator)
			.splitAsStream(System.getenv("PATH"))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, command)));
	}

}
