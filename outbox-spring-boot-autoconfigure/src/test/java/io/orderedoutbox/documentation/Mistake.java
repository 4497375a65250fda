/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Something wrong that an application does, and that ends its start.
 *
 * @param what what the application does, in words
 * @param made does it
 */
record Mistake(String what, Step made) {

	/**
	 * Set properties. The first ones are wrong, or wrong together.
	 */
	static Mistake properties(String... assignments) {
		String what = Arrays.stream(assignments).map("`%s`"::formatted).collect(Collectors.joining(" and "));
		return new Mistake(what, (trial) -> trial.with(assignments));
	}

	/**
	 * Have beans, and set properties.
	 */
	static Mistake beans(String what, Class<?> beans, String... assignments) {
		return new Mistake(what, (trial) -> {
			trial.application().with(beans);
			trial.with(assignments);
		});
	}

	/**
	 * The row of a table.
	 */
	String row(StartReport report) {
		return "| %s | %s | %s |".formatted(this.what, StartReport.cell(report.description()),
				StartReport.cell(report.action()));
	}

	@Override
	public String toString() {
		return this.what;
	}

	/**
	 * How a mistake is made.
	 */
	interface Step {

		void on(Trial trial) throws Exception;

	}

}
