/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.nio.charset.StandardCharsets;
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

	/**
	 * Refuse text with an unpaired surrogate: it would become a question mark on its way.
	 */
	static void encodable(String text, Supplier<String> what) {
		that(isEncodable(text), () -> what.get() + " must be encodable as UTF-8, but contains an unpaired surrogate");
	}

	private static boolean isEncodable(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				return StandardCharsets.UTF_8.newEncoder().canEncode(text);
			}
		}
		return true;
	}

	static void that(boolean condition, Supplier<String> message) {
		if (!condition) {
			throw new IllegalArgumentException(message.get());
		}
	}

}
