/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A column, as a script creates it.
 *
 * @param name its name
 * @param definition its name, type and everything else
 */
record ColumnDefinition(String name, String definition) {

	private static final Pattern COLLATION = Pattern.compile("\\bCOLLATE \"?(\\w+)");

	private static final Pattern QUOTED = Pattern.compile("'[^']*'");

	/**
	 * The collation that the script gives it, {@code null} if none.
	 */
	@Nullable String collation() {
		Matcher collation = COLLATION.matcher(this.definition);
		return collation.find() ? collation.group(1) : null;
	}

	/**
	 * Its type, with the collation, where that is what the definition begins with.
	 */
	String type() {
		return this.definition.substring(this.name.length() + 1).replaceFirst(" (?:NOT )?NULL\\b.*", "");
	}

	/**
	 * Whether it can be added to a table with rows, and without touching them: rows that
	 * are there have null in it, or its default.
	 */
	boolean isAddable() {
		String text = QUOTED.matcher(this.definition).replaceAll("''").toUpperCase(Locale.ROOT);
		return Stream.of(" GENERATED", " AUTO_INCREMENT", " PRIMARY KEY", " UNIQUE").noneMatch(text::contains)
				&& (!text.contains(" NOT NULL") || text.contains(" DEFAULT "));
	}

}
