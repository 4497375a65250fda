/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * JSON documents of one size, each with a number.
 *
 * @param bytes the size
 */
public record Payloads(int bytes) {

	private static final String START = "{\"number\":";

	private static final String FORMAT = START + "%d,\"text\":\"";

	public byte[] of(long number) {
		byte[] payload = new byte[this.bytes];
		byte[] start = FORMAT.formatted(number).getBytes(StandardCharsets.US_ASCII);
		Arrays.fill(payload, (byte) 'x');
		System.arraycopy(start, 0, payload, 0, start.length);
		payload[this.bytes - 2] = '"';
		payload[this.bytes - 1] = '}';
		return payload;
	}

	/**
	 * The number in a document, whoever wrote it.
	 */
	public static long number(byte[] payload) {
		int digit = START.length();
		if (payload.length <= digit || !new String(payload, 0, digit, StandardCharsets.US_ASCII).equals(START)) {
			throw new IllegalArgumentException("A payload has no number");
		}
		long number = 0;
		for (; payload[digit] >= '0' && payload[digit] <= '9'; digit++) {
			number = number * 10 + payload[digit] - '0';
		}
		return number;
	}

}
