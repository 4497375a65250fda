/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a run measured.
 */
public interface Measured {

	/**
	 * Return the figures by what they are called in tables.
	 * @param findings the violations, which are among the figures
	 * @return the figures in their order
	 */
	Map<String, Object> named(Findings findings);

	/**
	 * Return a duration as it is shown.
	 * @param duration the duration, {@code null} if it could not be measured
	 * @return seconds, or words
	 */
	static Object seconds(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() / 1000.0 : "not measured";
	}

}
