/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Text in Base64, as the statements of a database with functions for it take and give it.
 */
final class EncodedText {

	private EncodedText() {
	}

	/**
	 * Encode a text.
	 * @param text the text
	 * @return its UTF-8 in Base64
	 */
	static String of(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Decode a text.
	 * @param encoded what the database has made of it, with or without line breaks
	 * @return the text
	 */
	static String decode(String encoded) {
		return new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8);
	}

}
