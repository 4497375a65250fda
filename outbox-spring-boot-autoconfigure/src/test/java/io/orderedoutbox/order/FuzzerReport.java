/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.time.Duration;
import java.util.List;

/**
 * What a run of the fuzzer found.
 *
 * @param settings what it was told, with the seed
 * @param sabotage what was broken
 * @param committed number of messages that were committed
 * @param rolledBack number of messages that were rolled back
 * @param mishaps how often a relay lost its connections or messages became unroutable
 * @param duplicates how many messages arrived again
 * @param duration how long it took
 * @param violations what should not have happened
 */
record FuzzerReport(FuzzerSettings settings, Sabotage sabotage, int committed, int rolledBack, int mishaps,
		int duplicates, Duration duration, List<String> violations) {

	@Override
	public String toString() {
		return "order fuzzer: seed %d, sabotage %s, %d committed, %d rolled back, %d mishaps, %d duplicates, %d ms, %d violations%s"
			.formatted(this.settings.seed(), this.sabotage, this.committed, this.rolledBack, this.mishaps,
					this.duplicates, this.duration.toMillis(), this.violations.size(),
					this.violations.stream().map((violation) -> "\n  " + violation).reduce("", String::concat));
	}

}
