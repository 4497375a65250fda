package io.orderedoutbox;

import java.util.function.Supplier;

/**
 * What arguments must be. This module has no dependencies, and so not those of Spring.
 */
final class Require {

	private Require() {
	}

	static void that(boolean condition, String message) {
		that(condition, () -> message);
	}

	static void that(boolean condition, Supplier<String> message) {
		if (!condition) {
			throw new IllegalArgumentException(message.get());
		}
	}

}
