/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What H2 calls times.
 */
interface H2Times extends TimeFragments {

	// In most modes the time at which the transaction first asked. The time of the
	// statement is known to the view of sessions alone, which writes out all that the
	// statement binds each time that it is asked: minutes for an INSERT of 600 rows
	@Override
	default String now() {
		return "CURRENT_TIMESTAMP(6)";
	}

	@Override
	default String minute() {
		return "DATE_TRUNC('minute', %s)".formatted(now());
	}

	@Override
	default String timeOf(Instant time) {
		return "TIMESTAMP WITH TIME ZONE '%s'".formatted(time.truncatedTo(ChronoUnit.MICROS));
	}

	@Override
	default String after(String micros, String time) {
		return "DATEADD(MICROSECOND, %s, %s)".formatted(micros, time);
	}

	@Override
	default String between(String from, String to) {
		return "DATEDIFF(MICROSECOND, %s, %s)".formatted(from, to);
	}

	@Override
	default String textOfTime(String time) {
		return "FORMATDATETIME(%s, 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'en', 'UTC')".formatted(time);
	}

	@Override
	default String isoTextOfTime(String time) {
		return "FORMATDATETIME(%s, 'yyyy-MM-dd''T''HH:mm:ss.SSSSSS''Z''', 'en', 'UTC')".formatted(time);
	}

	@Override
	default String timeOfText() {
		return "CAST(? || '+00' AS TIMESTAMP(6) WITH TIME ZONE)";
	}

}
