/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The series of the last hour, with a clock in the hands of the test.
 */
@Tag("unit")
class PublishedPerMinuteTests {

	private final AtomicLong total = new AtomicLong(1000);

	// Near the end, because it may be anywhere
	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - Duration.ofMinutes(2).toNanos());

	private final PublishedPerMinute series = new PublishedPerMinute(this.total::get, this.clock::get);

	@Test
	void itHasSixtyMinutesAndBeginsWithNothing() {
		this.series.tick();
		assertThat(this.series.lastHour()).hasSize(60).containsOnly(0L);
	}

	@Test
	void whatIsPublishedIsCountedInItsMinute() {
		publish(3);
		publish(4);
		pass(Duration.ofMinutes(1));
		publish(10);
		pass(Duration.ofMinutes(3));
		publish(1);
		List<Long> hour = this.series.lastHour();
		assertThat(hour.subList(55, 60)).containsExactly(7L, 10L, 0L, 0L, 1L);
		assertThat(hour.subList(0, 55)).containsOnly(0L);
	}

	@Test
	void anHourLaterItIsForgotten() {
		publish(5);
		pass(Duration.ofMinutes(59));
		publish(6);
		assertThat(this.series.lastHour()).startsWith(5L).endsWith(6L);
		pass(Duration.ofMinutes(1));
		publish(7);
		assertThat(this.series.lastHour()).startsWith(0L).endsWith(6L, 7L);
		pass(Duration.ofDays(3));
		publish(8);
		assertThat(this.series.lastHour()).startsWith(0L).endsWith(0L, 8L).filteredOn((count) -> count > 0).hasSize(1);
	}

	private void publish(long count) {
		this.total.addAndGet(count);
		this.series.tick();
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

}
