/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * The terminal that an operator may be watching.
 */
interface Terminal {

	/**
	 * Return how large the terminal is now.
	 * @return the size, or {@code null} if this is no terminal, or none that a line can
	 * be kept at the bottom of
	 */
	@Nullable Size size();

	/**
	 * Return whether the terminal can show a character.
	 */
	boolean canShow(char character);

	/**
	 * Write a text, all at once: what other threads write comes before it or after it.
	 */
	void write(String text) throws IOException;

	/**
	 * How large a terminal is.
	 *
	 * @param rows how many lines it has
	 * @param columns how many characters fit into one
	 */
	record Size(int rows, int columns) {

	}

}
