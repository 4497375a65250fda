/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a run with consumers measured.
 *
 * @param messages how many messages were committed
 * @param effects how many effects they had
 * @param redelivered how many had their effect when they were delivered once more
 * @param duplicates how many deliveries the inbox suppressed
 * @param failures how many deliveries failed
 * @param consumers how many lives of consumers had effects
 * @param refusals how many business transactions of writers failed
 * @param longestStall the longest time from a commit to the effect
 * @param longestHealthyStall the same, of messages in whose time nothing was broken,
 * {@code null} if there was no such time
 * @param longestGap the longest time in which no message of any key had an effect
 */
public record EffectFigures(int messages, int effects, int redelivered, int duplicates, int failures, int consumers,
		int refusals, Duration longestStall, @Nullable Duration longestHealthyStall,
		Duration longestGap) implements Measured {

	@Override
	public Map<String, Object> named(Findings findings) {
		Map<String, Object> named = new LinkedHashMap<>();
		named.put("messages", this.messages);
		named.put("effects", this.effects);
		named.put("lost", findings.count(Breach.LOST));
		named.put("processed twice", findings.count(Breach.PROCESSED_TWICE));
		named.put("overtaken", findings.count(Breach.OVERTAKEN));
		named.put("processed at the same time as another of the key", findings.count(Breach.OVERLAPPED));
		named.put("phantom", findings.count(Breach.PHANTOM));
		named.put("altered", findings.count(Breach.ALTERED));
		named.put("duplicates that the inbox suppressed", this.duplicates);
		named.put("deliveries that failed", this.failures);
		named.put("of these while nothing was broken", findings.count(Breach.REFUSAL));
		named.put("processed when delivered once more", this.redelivered);
		named.put("lives of consumers", this.consumers);
		named.put("refused business transactions", this.refusals);
		named.put("longest time from commit to effect (s)", Measured.seconds(this.longestStall));
		named.put("the same while nothing was broken (s)", Measured.seconds(this.longestHealthyStall));
		named.put("longest standstill of all keys (s)", Measured.seconds(this.longestGap));
		named.put("other violations", findings.count(Breach.LEDGER) + findings.count(Breach.ATTEMPT)
				+ findings.count(Breach.PROCESS) + findings.count(Breach.UNFINISHED));
		return named;
	}

}
