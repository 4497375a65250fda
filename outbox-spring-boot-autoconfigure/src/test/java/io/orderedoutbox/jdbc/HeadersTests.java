/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.Map;

import io.orderedoutbox.OutboxPublicationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Headers}.
 */
@Tag("unit")
class HeadersTests {

	@Test
	void headersThatTheColumnCannotHoldAreRefused() {
		assertThat(Headers.write(Map.of("h", "x".repeat(5_000_000)))).hasSizeGreaterThan(5_000_000);
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> Headers.write(Map.of("h", "x".repeat(6_000_000))))
			.withMessageContaining("6000008 characters")
			.withMessageContaining("into the event");
	}

	@Test
	void whatIsWrittenIsRead() {
		Map<String, Object> headers = Map.of("\u0142\\\"'", "\uD83D\uDE00\u0000\n", "empty", "", "true", true, "small",
				1L, "large", Long.MIN_VALUE, "fraction", 0.1, "whole", 2.0);
		assertThat(Headers.read(Headers.write(headers))).isEqualTo(headers);
	}

	@Test
	void noHeadersAreNone() {
		assertThat(Headers.write(Map.of())).isNull();
		assertThat(Headers.read(null)).isEmpty();
	}

}
