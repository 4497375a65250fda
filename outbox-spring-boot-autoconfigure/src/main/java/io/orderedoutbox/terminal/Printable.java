/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

/**
 * Makes text harmless for a terminal, which obeys control characters: they are shown as
 * {@code \}{@code u001b}. So are characters that turn the direction of a line, and those
 * that cannot be seen.
 */
final class Printable {

	private Printable() {
	}

	/**
	 * The text, harmless and no longer than a line.
	 */
	static String of(String text, int columns) {
		StringBuilder printable = new StringBuilder();
		text.codePoints().limit(columns).forEach((character) -> {
			if (isHarmless(character)) {
				printable.appendCodePoint(character);
			}
			else {
				printable.append("\\u%04x".formatted(character));
			}
		});
		int end = Math.min(columns, printable.codePointCount(0, printable.length()));
		return printable.substring(0, printable.offsetByCodePoints(0, end));
	}

	private static boolean isHarmless(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

}
