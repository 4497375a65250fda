/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * What was measured, and what it must be.
 *
 * @param what what was measured
 * @param value what came out, with its unit
 * @param limit what it must be
 * @param kept whether it is
 */
public record Figure(String what, String value, String limit, boolean kept) {

	static Figure longest(String what, Collection<Duration> times, Duration limit) {
		Duration longest = Collections.max(times);
		List<String> all = times.stream().sorted().map(Figure::seconds).toList();
		return new Figure(what,
				"%s (longest of %d: %s)".formatted(seconds(longest), all.size(), String.join(", ", all)),
				"at most " + seconds(limit), longest.compareTo(limit) <= 0);
	}

	static Figure none(String what, long count) {
		return new Figure(what, String.valueOf(count), "0", count == 0);
	}

	private static String seconds(Duration time) {
		return String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1000.0);
	}

	@Override
	public String toString() {
		return "%s  %s: %s (must be: %s)".formatted(this.kept ? "ok  " : "FAIL", this.what, this.value, this.limit);
	}

}
