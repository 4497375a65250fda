/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What messages of a queue are processed in order of, as short as a column takes it.
 */
public final class OrderingKey {

	private static final int LONGEST = 255;

	private static final int DIGEST = 64;

	private OrderingKey() {
	}

	/**
	 * Return a text that is the same for the same key, and different for another one.
	 * @param key the key, of any length
	 * @return the text, with 255 characters at most
	 */
	public static String of(String key) {
		if (key.length() <= LONGEST) {
			return key;
		}
		int end = LONGEST - DIGEST;
		// Half of a character is another one in the database
		String beginning = key.substring(0, Character.isHighSurrogate(key.charAt(end - 1)) ? end - 1 : end);
		return beginning + digest(key.getBytes(StandardCharsets.UTF_8));
	}

	/** Return the SHA-256 of some bytes, in hexadecimal. */
	static String digest(byte[] bytes) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java platform has SHA-256", ex);
		}
	}

}
