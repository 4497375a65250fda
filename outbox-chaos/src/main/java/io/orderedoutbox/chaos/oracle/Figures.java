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
 * What a run measured.
 *
 * @param messages how many messages were committed
 * @param arrivals how many arrived, those included that arrived again
 * @param duplicates how many a relay sent again
 * @param farDuplicates how many of them lie further back than a run
 * @param redelivered how many the broker delivered again to a consumer that it had lost
 * @param attempts how many attempts were counted, by their reason
 * @param refusals how many business transactions failed
 * @param longestStall the longest time from a commit to the first arrival
 * @param longestHealthyStall the same, of messages in whose time nothing was broken,
 * {@code null} if there was no such time
 * @param longestHealthyGap the longest time between two arrivals in which nothing was
 * broken, {@code null} if there was no such time
 */
public record Figures(int messages, int arrivals, int duplicates, int farDuplicates, int redelivered,
		Map<String, Integer> attempts, int refusals, Duration longestStall, @Nullable Duration longestHealthyStall,
		@Nullable Duration longestHealthyGap) implements Measured {

	@Override
	public Map<String, Object> named(Findings findings) {
		Map<String, Object> named = new LinkedHashMap<>();
		named.put("messages", this.messages);
		named.put("lost", findings.count(Breach.LOST));
		named.put("overtaken", findings.count(Breach.OVERTAKEN));
		named.put("phantom", findings.count(Breach.PHANTOM));
		named.put("altered", findings.count(Breach.ALTERED));
		named.put("duplicates", this.duplicates);
		named.put("of these beyond a run (relay frozen)", this.farDuplicates);
		named.put("of these unexplained", findings.count(Breach.UNEXPLAINED_DUPLICATE));
		named.put("redelivered by the broker", this.redelivered);
		named.put("attempts by reason", this.attempts);
		named.put("attempts spent by outages", findings.count(Breach.ATTEMPT));
		named.put("refused business transactions", this.refusals);
		named.put("longest stall (s)", Measured.seconds(this.longestStall));
		named.put("longest stall while nothing was broken (s)", Measured.seconds(this.longestHealthyStall));
		named.put("longest gap between arrivals while nothing was broken (s)",
				Measured.seconds(this.longestHealthyGap));
		named.put("other violations", findings.count(Breach.REFUSAL) + findings.count(Breach.LEDGER)
				+ findings.count(Breach.PROCESS) + findings.count(Breach.UNFINISHED));
		return named;
	}

}
