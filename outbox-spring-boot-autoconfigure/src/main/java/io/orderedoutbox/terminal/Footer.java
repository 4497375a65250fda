/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.util.List;

import io.orderedoutbox.terminal.Terminal.Size;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ansi.AnsiElement;
import org.springframework.boot.ansi.AnsiOutput;

/**
 * The last lines of a terminal, which do not scroll with what any part of the application
 * writes above them: the log knows nothing of these lines.
 * <p>
 * The terminal scrolls only the lines above (DECSTBM), and each drawing is one text that
 * leaves the cursor where it was. So there is nothing to wrap or to replace in the
 * application, and nothing of the log is lost. A line that is too long is cut by the
 * terminal.
 */
final class Footer {

	// That many lines of the log have to stay
	private static final int LOG = 4;

	private static final String ESCAPE = "\u001B";

	private static final String SAVE = ESCAPE + "7";

	private static final String RESTORE = ESCAPE + "8";

	private static final String SCROLL_ALL = ESCAPE + "[r";

	private static final String ERASE_BELOW = ESCAPE + "[J";

	private static final String ERASE_LINE = ESCAPE + "[2K";

	private static final String ORDINARY = ESCAPE + "[0m";

	private static final String DO_NOT_WRAP = ESCAPE + "[?7l";

	private static final String WRAP = ESCAPE + "[?7h";

	private static final String DOWN_OR_SCROLL = ESCAPE + "D";

	private @Nullable Size size;

	private int lines;

	/**
	 * Return what draws the lines, as many of them as there is room for.
	 */
	String draw(List<Line> wanted, Size terminal) {
		List<Line> shown = wanted.subList(0, Math.max(0, Math.min(wanted.size(), terminal.rows() - LOG)));
		StringBuilder text = new StringBuilder();
		if (!terminal.equals(this.size) || shown.size() != this.lines) {
			text.append(remove());
			makeRoom(text, shown.size(), terminal);
		}
		if (!shown.isEmpty()) {
			text.append(SAVE).append(ORDINARY).append(DO_NOT_WRAP);
			int row = terminal.rows() - shown.size();
			for (Line line : shown) {
				row++;
				text.append(ESCAPE).append("[%d;1H".formatted(row)).append(ERASE_LINE);
				text.append(AnsiOutput.toString(line.style(), line.text()));
			}
			text.append(WRAP).append(RESTORE);
		}
		return text.toString();
	}

	// To set what scrolls moves the cursor, which has to be above the footer afterwards
	// and in the same place of the log
	private void makeRoom(StringBuilder text, int count, Size terminal) {
		if (count > 0) {
			text.append(DOWN_OR_SCROLL.repeat(count)).append(ESCAPE).append("[%dA".formatted(count));
			text.append(SAVE).append(ESCAPE).append("[1;%dr".formatted(terminal.rows() - count)).append(RESTORE);
		}
		this.size = terminal;
		this.lines = count;
	}

	/**
	 * Return what removes the lines, nothing if there are none. What is below the cursor
	 * is never the log.
	 */
	String remove() {
		if (this.lines == 0) {
			return "";
		}
		this.lines = 0;
		return SAVE + SCROLL_ALL + RESTORE + ERASE_BELOW;
	}

	/**
	 * A line.
	 *
	 * @param style how it looks
	 * @param text what it says, without any control character
	 */
	record Line(AnsiElement style, String text) {

	}

}
