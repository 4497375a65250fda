/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.nio.charset.StandardCharsets;

/**
 * A message of a scenario, as it arrives.
 *
 * @param key its partition key
 * @param version which message of its key it is, beginning with 1
 * @param number which message of the stage it is
 * @param time when it arrived, by {@link System#nanoTime}
 */
record Delivery(String key, long version, long number, long time) {

	static Delivery of(byte[] body, long time) {
		String[] parts = new String(body, StandardCharsets.US_ASCII).split(" ", 4);
		return new Delivery(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), time);
	}

}
