/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;

import org.jspecify.annotations.Nullable;

/**
 * Levenshtein's: how many characters of a word have to be changed, put in or taken out
 * for it to be another word.
 */
final class Distance {

	private Distance() {
	}

	/**
	 * Return the one that is the nearest to a word. Null if all are further away.
	 */
	static <T> @Nullable T nearest(String word, Collection<T> others, int atMost) {
		return others.stream()
			.filter((other) -> Math.abs(other.toString().length() - word.length()) <= atMost)
			.filter((other) -> between(other.toString(), word) <= atMost)
			.min(Comparator.comparingInt((other) -> between(other.toString(), word)))
			.orElse(null);
	}

	private static int between(String one, String other) {
		int[] last = new int[other.length() + 1];
		Arrays.setAll(last, (column) -> column);
		for (int row = 1; row <= one.length(); row++) {
			int[] next = new int[other.length() + 1];
			next[0] = row;
			for (int column = 1; column <= other.length(); column++) {
				int change = (one.charAt(row - 1) == other.charAt(column - 1)) ? 0 : 1;
				next[column] = Math.min(Math.min(last[column], next[column - 1]) + 1, last[column - 1] + change);
			}
			last = next;
		}
		return last[other.length()];
	}

}
