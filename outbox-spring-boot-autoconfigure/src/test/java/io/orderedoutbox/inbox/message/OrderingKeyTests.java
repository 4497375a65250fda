/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys as short as a column takes them.
 */
class OrderingKeyTests {

	@Test
	void aKeyThatFitsIsAsItIs() {
		String key = "x".repeat(255);
		assertThat(OrderingKey.of(key)).isEqualTo(key);
	}

	@Test
	void longKeysThatDifferAtTheirEndAreDifferent() {
		String key = "x".repeat(400);
		assertThat(OrderingKey.of(key + "a")).hasSize(255).isNotEqualTo(OrderingKey.of(key + "b"));
	}

	@Test
	void noCharacterIsCutInTwo() {
		for (int before = 180; before < 200; before++) {
			String key = OrderingKey.of("x".repeat(before) + "\uD83D\uDE00" + "x".repeat(100));
			assertThat(new String(key.getBytes(UTF_8), UTF_8)).isEqualTo(key);
			assertThat(key).hasSizeLessThanOrEqualTo(255);
		}
	}

}
