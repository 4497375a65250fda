/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.orderedoutbox.relay.RelayStatus;
import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.relay.RelayStatus.WorkerState;
import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.terminal.Figures.Waiting;
import io.orderedoutbox.terminal.Footer.Line;
import io.orderedoutbox.terminal.RecentFailures.FailedMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ansi.AnsiColor;
import org.springframework.boot.ansi.AnsiElement;
import org.springframework.boot.ansi.AnsiStyle;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Puts figures into lines. What is not known is called unknown, and is never a zero. All
 * text from outside is {@link Printable} afterwards, and no line is longer than the
 * terminal is wide.
 */
final class SummaryText {

	// What stands beside the bar
	private static final int BESIDE = 52;

	private static final int SHORTEST_BAR = 10;

	private static final int LONGEST_BAR = 40;

	private final Drawing drawing;

	SummaryText(Drawing drawing) {
		this.drawing = drawing;
	}

	List<Line> lines(Figures figures, int columns) {
		Lines lines = new Lines(columns);
		lines.add(AnsiStyle.FAINT, title(figures.relay(), columns));
		lines.add(AnsiColor.DEFAULT, backlog(figures.waiting(), columns));
		lines.add(AnsiColor.DEFAULT,
				" published %s/s in 10s, %s/s in 1m   failed attempts %s".formatted(
						rate(figures.published().lastSeconds()), rate(figures.published().lastMinute()),
						count(figures.failures().attempts())));
		lines.add(attention(figures.waiting()), stuck(figures.waiting()));
		Outage outage = figures.relay().outage();
		if (outage != null) {
			lines.add(AnsiColor.RED, " cannot work for %s: %s".formatted(duration(outage.duration()), outage.reason()));
		}
		figures.failures().last().forEach((failure) -> lines.add(AnsiColor.RED, text(failure)));
		return lines.all;
	}

	private String title(RelayStatus relay, int columns) {
		long busy = relay.workers().stream().filter((worker) -> worker.state() == WorkerState.BUSY).count();
		String rule = String.valueOf(this.drawing.rule());
		String text = "%s Outbox relay %s, %d of %d workers busy ".formatted(rule.repeat(2),
				relay.state().name().toLowerCase(Locale.ROOT), busy, relay.workers().size());
		return text + rule.repeat(Math.max(0, columns - text.length()));
	}

	private String backlog(@Nullable Waiting waiting, int columns) {
		if (waiting == null) {
			return " backlog unknown   lag unknown";
		}
		Backlog backlog = waiting.backlog();
		int width = Math.max(SHORTEST_BAR, Math.min(LONGEST_BAR, columns - BESIDE));
		int done = (int) (waiting.done() * width);
		return " backlog [%s%s] %d %%   %s of %s left   lag %s".formatted(
				String.valueOf(this.drawing.done()).repeat(done),
				String.valueOf(this.drawing.left()).repeat(width - done), (int) (waiting.done() * 100),
				depth(backlog.depth()), depth(waiting.highest()), duration(backlog.lag()));
	}

	private static String stuck(@Nullable Waiting waiting) {
		if (waiting == null) {
			return " keys: stalled unknown, blocked unknown   dead letters unknown";
		}
		Backlog backlog = waiting.backlog();
		return " keys: %s stalled, %s blocked   dead letters %s".formatted(count(backlog.stalledKeys()),
				count(backlog.blockedKeys()), count(backlog.deadLetters()));
	}

	private static AnsiElement attention(@Nullable Waiting waiting) {
		return (waiting != null && waiting.backlog().blockedKeys() > 0) ? AnsiColor.YELLOW : AnsiColor.DEFAULT;
	}

	private static String text(FailedMessage failure) {
		return " %s ago  %s: %s".formatted(duration(failure.age()), failure.messageId(), failure.error());
	}

	// Beyond that the database estimates
	private static String depth(long depth) {
		return ((depth > Backlog.MAX_COUNT) ? "about " : "") + count(depth);
	}

	private static String count(long number) {
		return String.format(Locale.ROOT, "%,d", number);
	}

	private static String rate(double perSecond) {
		return String.format(Locale.ROOT, (perSecond < 100) ? "%.1f" : "%,.0f", perSecond);
	}

	private static String duration(Duration duration) {
		return DurationFormatterUtils.print(duration.truncatedTo(ChronoUnit.SECONDS), Style.COMPOSITE);
	}

	/**
	 * The characters that it is drawn with.
	 *
	 * @param rule of a line across the terminal
	 * @param done what is done of the bar
	 * @param left what is left of it
	 */
	record Drawing(char rule, char done, char left) {

		private static final Drawing BLOCKS = new Drawing('\u2500', '\u2588', '\u2591');

		private static final Drawing ASCII = new Drawing('-', '#', '.');

		static Drawing on(Terminal terminal) {
			boolean blocks = terminal.canShow(BLOCKS.rule()) && terminal.canShow(BLOCKS.done())
					&& terminal.canShow(BLOCKS.left());
			return blocks ? BLOCKS : ASCII;
		}

	}

	private static final class Lines {

		private final List<Line> all = new ArrayList<>();

		private final int columns;

		Lines(int columns) {
			this.columns = columns;
		}

		void add(AnsiElement style, String text) {
			this.all.add(new Line(style, Printable.of(text, this.columns)));
		}

	}

}
