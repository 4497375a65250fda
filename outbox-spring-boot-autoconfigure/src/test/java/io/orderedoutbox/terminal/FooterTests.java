/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.orderedoutbox.terminal.Footer.Line;
import io.orderedoutbox.terminal.Terminal.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.ansi.AnsiColor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Footer}, on the screen of an emulated terminal: what it shows, and
 * what becomes of the log, which knows nothing of it.
 */
@Tag("unit")
class FooterTests {

	private static final int ROWS = 24;

	private static final int COLUMNS = 80;

	private final EmulatedTerminal terminal = new EmulatedTerminal(ROWS, COLUMNS);

	private final Footer footer = new Footer();

	@Test
	void standsAtTheBottomAndLeavesTheCursorInTheLog() {
		this.terminal.log("one");
		draw("first", "second");
		this.terminal.log("two");
		assertThat(this.terminal.lines().subList(0, 3)).containsExactly("one", "two", "");
		assertThat(this.terminal.bottom(3)).containsExactly("", "first", "second");
	}

	@Test
	void theLogScrollsAboveItWithoutALineLost() {
		for (int line = 1; line <= 100; line++) {
			draw(footer(2 + line % 5, line));
			this.terminal.log("log " + line);
		}
		draw("first", "second", "third");
		assertThat(this.terminal.bottom(3)).containsExactly("first", "second", "third");
		List<String> seen = this.terminal.lines()
			.subList(0, ROWS - 3)
			.stream()
			.filter((line) -> !line.isEmpty())
			.toList();
		assertThat(seen).hasSizeGreaterThan(15).containsExactlyElementsOf(log(101 - seen.size(), 100));
	}

	@Test
	void growsOnAFullScreenWithoutALineLost() {
		log(1, 60).forEach(this.terminal::log);
		draw("first");
		draw("first", "second", "third");
		draw("first", "second", "third", "fourth");
		draw("first", "second");
		assertThat(this.terminal.bottom(2)).containsExactly("first", "second");
		assertThat(this.terminal.lines().stream().filter((line) -> line.startsWith("log ")))
			.containsExactlyElementsOf(log(42, 60));
		log(61, 65).forEach(this.terminal::log);
		assertThat(this.terminal.lines().stream().filter((line) -> line.startsWith("log ")))
			.endsWith(log(50, 65).toArray(String[]::new));
	}

	@Test
	void aLineThatWasBegunIsGoneOnWith() {
		this.terminal.write("begun, ");
		draw("first", "second");
		draw("first");
		this.terminal.log("and ended");
		assertThat(this.terminal.lines()).startsWith("begun, and ended", "");
	}

	@Test
	void coloursOfTheLogAreNoneOfItsAndTheOtherWayRound() {
		this.terminal.write("\u001b[31mred ");
		String drawn = this.footer.draw(lines("plain"), new Size(ROWS, COLUMNS));
		assertThat(drawn).contains("\u001b[0m").endsWith("\u001b8");
	}

	@Test
	void whatIsTooLongIsCutAndNotWrapped() {
		draw("x".repeat(COLUMNS + 30), "second");
		assertThat(this.terminal.bottom(3)).containsExactly("", "x".repeat(COLUMNS), "second");
		this.terminal.log("y".repeat(COLUMNS + 3));
		assertThat(this.terminal.lines()).startsWith("y".repeat(COLUMNS), "yyy", "");
	}

	@Test
	void removedItLeavesNothing() {
		log(1, 30).forEach(this.terminal::log);
		draw("first", "second", "third");
		this.terminal.write(this.footer.remove());
		assertThat(this.footer.remove()).isEmpty();
		assertThat(this.terminal.text()).doesNotContain("first", "second", "third");
		log(31, 60).forEach(this.terminal::log);
		List<String> expected = new ArrayList<>(log(38, 60));
		expected.add("");
		assertThat(this.terminal.lines()).containsExactlyElementsOf(expected);
	}

	@Test
	void followsASizeThatChanges() {
		log(1, 30).forEach(this.terminal::log);
		draw("first", "second");
		for (Size size : List.of(new Size(30, 100), new Size(18, 60), new Size(24, 80))) {
			this.terminal.resize(size.rows(), size.columns());
			this.terminal.write(this.footer.draw(lines("first", "second"), size));
			this.terminal.log("then");
			assertThat(this.terminal.bottom(2)).containsExactly("first", "second");
			assertThat(this.terminal.lines()).containsOnlyOnce("first").contains("log 30", "then");
		}
	}

	@Test
	void leavesRoomForTheLog() {
		Size small = new Size(6, 40);
		assertThat(this.footer.draw(lines("first", "second", "third"), small)).contains("first", "second")
			.doesNotContain("third");
		assertThat(new Footer().draw(lines("first"), new Size(3, 40))).isEmpty();
	}

	private void draw(String... texts) {
		this.terminal.write(this.footer.draw(lines(texts), new Size(ROWS, COLUMNS)));
	}

	private static List<Line> lines(String... texts) {
		return List.of(texts).stream().map((text) -> new Line(AnsiColor.DEFAULT, text)).toList();
	}

	private static String[] footer(int lines, int number) {
		return IntStream.range(0, lines).mapToObj((i) -> "footer " + number).toArray(String[]::new);
	}

	private static List<String> log(int first, int last) {
		return IntStream.rangeClosed(first, last).mapToObj((line) -> "log " + line).toList();
	}

}
