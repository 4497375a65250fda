/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.orderedoutbox.relay.RelayState;
import io.orderedoutbox.relay.RelayStatus;
import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.relay.RelayStatus.Worker;
import io.orderedoutbox.relay.RelayStatus.WorkerState;
import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.terminal.Figures.Published;
import io.orderedoutbox.terminal.Figures.Waiting;
import io.orderedoutbox.terminal.Footer.Line;
import io.orderedoutbox.terminal.RecentFailures.FailedMessage;
import io.orderedoutbox.terminal.RecentFailures.Report;
import io.orderedoutbox.terminal.SummaryText.Drawing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ansi.AnsiColor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SummaryText}: figures in, lines out.
 */
@Tag("unit")
class SummaryTextTests {

	private static final String ID = "019ab0a4-5c5e-7c8e-b8b5-0f6f6f7f3a11";

	private static final Waiting WAITING = new Waiting(new Backlog(2_500, Duration.ofMillis(72_900), 3, 1, 4), 10_000);

	private static final Report NO_FAILURES = new Report(0, List.of());

	private final SummaryText text = new SummaryText(new Drawing('-', '#', '.'));

	@Test
	void showsWhatIsKnown() {
		Report failures = new Report(1_017, List.of(new FailedMessage(ID, Duration.ofSeconds(5), "no exchange 'x'")));
		assertThat(lines(figures(null, WAITING, failures), 92)).containsExactly(
				"-- Outbox relay running, 1 of 2 workers busy -----------------------------------------------",
				" backlog [##############################..........] 75 %   2,500 of 10,000 left   lag 1m12s",
				" published 1,235/s in 10s, 99.9/s in 1m   failed attempts 1,017",
				" keys: 3 stalled, 1 blocked   dead letters 4", " 5s ago  " + ID + ": no exchange 'x'");
	}

	@Test
	void whatIsNotKnownIsNoZero() {
		List<String> lines = lines(figures(null, null, NO_FAILURES), 100);
		assertThat(lines.get(1)).isEqualTo(" backlog unknown   lag unknown");
		assertThat(lines.get(3)).isEqualTo(" keys: stalled unknown, blocked unknown   dead letters unknown");
	}

	@ParameterizedTest
	@CsvSource({ "0, 0, [########################################] 100 %",
			"10, 10, [........................................] 0 %",
			"1, 1000, [#######################################.] 99 %" })
	void theBarIsFullOnlyWhenNothingIsLeft(long depth, long highest, String bar) {
		Waiting waiting = new Waiting(new Backlog(depth, Duration.ZERO, 0, 0, 0), highest);
		assertThat(lines(figures(null, waiting, NO_FAILURES), 100).get(1)).contains(bar);
	}

	@Test
	void anEstimateIsCalledOne() {
		Waiting waiting = new Waiting(new Backlog(123_456, Duration.ZERO, 0, 0, 0), 200_000);
		assertThat(lines(figures(null, waiting, NO_FAILURES), 120).get(1))
			.contains("about 123,456 of about 200,000 left");
	}

	@Test
	void anOutageIsTold() {
		Outage outage = new Outage("Connection refused", Duration.ofSeconds(61));
		assertThat(this.text.lines(figures(outage, null, NO_FAILURES), 100))
			.contains(new Line(AnsiColor.RED, " cannot work for 1m1s: Connection refused"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\u001b[2J\u001b]0;title\u0007", "\u009b31m", "a\r\nb\tc", "\u202eesrever", "\u2028\u2066",
			"\u200b\ufeff", "\ud800", "\udb40\udc41" })
	void noErrorCanSteerTheTerminal(String error) {
		FailedMessage failed = new FailedMessage(ID, Duration.ZERO, "<" + error + ">");
		Outage outage = new Outage("<" + error + ">", Duration.ZERO);
		List<String> lines = lines(figures(outage, WAITING, new Report(1, List.of(failed))), 200);
		assertThat(String.join("", lines)).matches("[\\x20-\\x7e]+").contains("<", ">", "\\u");
	}

	@Test
	void anErrorMayBeInAnyLanguage() {
		assertThat(Printable.of("größer als 8 MB, 消息过大", 80)).isEqualTo("größer als 8 MB, 消息过大");
		assertThat(Printable.of("\u001b[2J", 80)).isEqualTo("\\u001b[2J");
	}

	@Test
	void noLineIsWiderThanTheTerminal() {
		FailedMessage failed = new FailedMessage(ID, Duration.ZERO, "\u0000\ud83d\ude00".repeat(300));
		Figures figures = figures(new Outage("x".repeat(1000), Duration.ofDays(3)), WAITING,
				new Report(1, List.of(failed, failed, failed)));
		IntStream.rangeClosed(1, 250)
			.forEach((columns) -> assertThat(lines(figures, columns)).hasSize(8)
				.allSatisfy((line) -> assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(columns)));
	}

	@Test
	void drawsWithWhatTheTerminalCanShow() {
		assertThat(Drawing.on(new EmulatedTerminal(24, 80))).isEqualTo(new Drawing('-', '#', '.'));
		assertThat(Drawing.on(new StandardOutput()).done()).isIn('#', '\u2588');
	}

	private List<String> lines(Figures figures, int columns) {
		return this.text.lines(figures, columns).stream().map(Line::text).toList();
	}

	private static Figures figures(Outage outage, Waiting waiting, Report failures) {
		RelayStatus status = new RelayStatus(RelayState.RUNNING, Set.of(), outage,
				List.of(new Worker(1, WorkerState.BUSY, 7, 3), new Worker(2, WorkerState.IDLE, 7, 0)), 12_345);
		return new Figures(status, waiting, new Published(1234.56, 99.94), failures);
	}

}
