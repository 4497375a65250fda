/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.util.List;

import org.jline.builtins.ScreenTerminal;
import org.jspecify.annotations.Nullable;

/**
 * A terminal that shows what was written to it as a real one would.
 */
final class EmulatedTerminal implements Terminal {

	private final ScreenTerminal screen;

	private volatile @Nullable Size size;

	EmulatedTerminal(int rows, int columns) {
		this.screen = new ScreenTerminal(columns, rows);
		this.size = new Size(rows, columns);
	}

	@Override
	public @Nullable Size size() {
		return this.size;
	}

	void resize(int rows, int columns) {
		this.screen.setSize(columns, rows);
		this.size = new Size(rows, columns);
	}

	@Override
	public boolean canShow(char character) {
		return character < 128;
	}

	@Override
	public void write(String text) {
		this.screen.write(text);
	}

	/**
	 * Write as the log does, that knows nothing of a footer.
	 */
	void log(String line) {
		write(line + "\r\n");
	}

	/**
	 * What somebody who watches sees, without what is empty at the end of a line.
	 */
	List<String> lines() {
		return this.screen.toString().lines().map(String::stripTrailing).toList();
	}

	/**
	 * The last lines of it.
	 */
	List<String> bottom(int count) {
		List<String> lines = lines();
		return lines.subList(lines.size() - count, lines.size());
	}

	String text() {
		return String.join("\n", lines());
	}

}
