/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import java.util.Locale;

import org.springframework.core.env.Environment;

/**
 * Reads a property that has one of several values before properties are bound, or where
 * they could not be: as Spring Boot binds it, which forgives spaces, case and dashes, but
 * without an error for a value that there is not.
 */
final class Choice {

	private Choice() {
	}

	/**
	 * Return the letters and digits of the value, in lower case. Nothing if there is
	 * none.
	 */
	static String of(Environment environment, String property) {
		return environment.getProperty(property, "").replaceAll("[^\\p{L}\\p{Nd}]", "").toLowerCase(Locale.ROOT);
	}

}
