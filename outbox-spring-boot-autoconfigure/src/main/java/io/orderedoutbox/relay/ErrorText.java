package io.orderedoutbox.relay;

import java.nio.charset.StandardCharsets;

/**
 * Makes the text of an error fit to be stored and shown: no control characters, no broken
 * surrogates, and not too long.
 */
final class ErrorText {

	private static final int MAX_LENGTH = 1000;

	private ErrorText() {
	}

	static String bounded(String text) {
		byte[] encodable = text.getBytes(StandardCharsets.UTF_8);
		String clean = new String(encodable, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
		if (clean.codePointCount(0, clean.length()) <= MAX_LENGTH) {
			return clean;
		}
		return clean.substring(0, clean.offsetByCodePoints(0, MAX_LENGTH));
	}

}
