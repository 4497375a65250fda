/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * In what a table differs from what a script creates.
 *
 * @param table the name of the table
 * @param text what is missing, or different, as a clause of a sentence
 * @param statement what makes it as it should be, without a semicolon
 * @param kind what is missing, or different
 */
public record Difference(String table, String text, String statement, Kind kind) {

	/**
	 * What is missing, or different.
	 */
	public enum Kind {

		/** The table is missing. Creating it touches nothing that is there. */
		TABLE,

		/**
		 * A column is missing that can be added without touching rows, at once.
		 */
		ADDABLE_COLUMN,

		/** A column is missing that has neither a default nor takes null. */
		COLUMN,

		/** An index, or a column of it, is missing. */
		INDEX,

		/** In the collation of a column different texts are equal. */
		COLLATION;

		/**
		 * Whether an application that is told to create its tables adds it.
		 */
		boolean isAdded() {
			return this == TABLE || this == ADDABLE_COLUMN;
		}

	}

	/**
	 * Return what differs.
	 * @param differences the differences
	 * @return clauses of a sentence
	 */
	public static String texts(List<Difference> differences) {
		return differences.stream().map(Difference::text).collect(Collectors.joining("; "));
	}

	/**
	 * Return what to do.
	 * @param differences the differences
	 * @param remedy the sentence for an operator; its parameter is whether all that is
	 * missing is added when the application is told to create its tables
	 * @return the sentence, and the statements for tables that are there
	 */
	public static String remedy(List<Difference> differences, Function<Boolean, String> remedy) {
		String statements = differences.stream()
			.filter((difference) -> difference.kind() != Kind.TABLE)
			.map((difference) -> difference.statement() + ";")
			.collect(Collectors.joining(" "));
		String text = remedy.apply(differences.stream().allMatch((difference) -> difference.kind().isAdded()));
		return statements.isEmpty() ? text : "%s The statements: %s".formatted(text, statements);
	}

	@Override
	public String toString() {
		return this.text;
	}

}
