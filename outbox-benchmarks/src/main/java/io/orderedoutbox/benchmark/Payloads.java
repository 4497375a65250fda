package io.orderedoutbox.benchmark;

import java.nio.charset.StandardCharsets;

/**
 * JSON documents of one size, each with a number.
 *
 * @param bytes the size
 */
record Payloads(int bytes) {

	private static final String FORMAT = "{\"number\":%010d,\"text\":\"";

	byte[] of(long number) {
		byte[] payload = new byte[this.bytes];
		byte[] start = FORMAT.formatted(number).getBytes(StandardCharsets.US_ASCII);
		java.util.Arrays.fill(payload, (byte) 'x');
		System.arraycopy(start, 0, payload, 0, start.length);
		payload[this.bytes - 2] = '"';
		payload[this.bytes - 1] = '}';
		return payload;
	}

	static long number(byte[] payload) {
		int start = FORMAT.indexOf(':') + 1;
		return Long.parseLong(new String(payload, start, 10, StandardCharsets.US_ASCII));
	}

}
