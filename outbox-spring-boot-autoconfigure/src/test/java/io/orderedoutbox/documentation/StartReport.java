/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.orderedoutbox.OutboxConfigurationException;

/**
 * What an application that does not start writes to its log.
 *
 * @param description what is wrong
 * @param action what to do about it
 */
record StartReport(String description, String action) {

	private static final Pattern REPORT = Pattern.compile(
			"APPLICATION FAILED TO START\\n\\*+\\n\\nDescription:\\n\\n(.*?)\\n\\nAction:\\n\\n(.*?)(?:\\n\\n|\\n?\\z)",
			Pattern.DOTALL);

	/**
	 * Read the last report of an output.
	 * @throws AssertionError if there is none
	 */
	static StartReport last(String output) {
		String text = output.replace("\r", "");
		Matcher report = REPORT.matcher(text);
		int from = text.lastIndexOf("APPLICATION FAILED TO START");
		if (from < 0 || !report.find(from)) {
			throw new AssertionError("The start has ended without a report, after:\n" + output);
		}
		return new StartReport(report.group(1), report.group(2));
	}

	/**
	 * Whether this is, or contains, what a failure says.
	 */
	boolean tells(Throwable failure) {
		String text = (failure instanceof OutboxConfigurationException refusal) ? refusal.getDescription()
				: failure.getMessage();
		return text != null && !text.isEmpty() && this.description.contains(text);
	}

	/**
	 * A text as it is written into a table.
	 */
	static String cell(String text) {
		return text.strip()
			.replace("<", "&lt;")
			.replaceAll("\\s*\\n\\s*", "<br>")
			.replace("|", "\\|")
			.replace("*", "\\*");
	}

}
