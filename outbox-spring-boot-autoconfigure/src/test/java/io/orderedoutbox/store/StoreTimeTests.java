/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ages are those of the store, whatever time it is here.
 */
@Tag("unit")
class StoreTimeTests {

	private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06Z");

	@Test
	void anAgeIsCountedFromTheClockOfTheStore() {
		long readAt = System.nanoTime();
		StoreTime time = new StoreTime(LONG_AGO, readAt);
		assertThat(time.age(LONG_AGO.minusSeconds(3), readAt + 500)).isEqualTo(3_000_000_500L);
	}

	@Test
	void nothingIsYoungerThanNew() {
		StoreTime time = new StoreTime(LONG_AGO, 0);
		assertThat(time.age(LONG_AGO.plus(Duration.ofMillis(1)), 500)).isZero();
	}

}
