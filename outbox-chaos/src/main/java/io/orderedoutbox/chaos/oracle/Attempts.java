/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import io.orderedoutbox.chaos.fault.FaultRecord;
import io.orderedoutbox.chaos.fault.Part;

/**
 * The attempts that relays counted: each for a reason of the message's own, and none
 * while the broker was whole.
 */
final class Attempts {

	private static final Map<String, Pattern> REASONS = Map.of("returned", Pattern.compile("returned by the broker"),
			"nacked", Pattern.compile("nacked by the broker"), "channel closed",
			Pattern.compile("channel closed by the broker: 40[346]"), "silence",
			Pattern.compile("no confirm from the broker"));

	private final Map<String, Integer> counts = new TreeMap<>();

	private final Troubles brokerTroubles;

	private final Troubles networkTroubles;

	private final Findings findings;

	Attempts(Collection<FaultRecord> faults, Findings findings) {
		this.brokerTroubles = Troubles.of(faults, Oracle.AFTERMATH, Part.BROKER);
		this.networkTroubles = Troubles.of(faults, Oracle.AFTERMATH, Part.BROKER, Part.RELAY);
		this.findings = findings;
	}

	Map<String, Integer> judge(List<Remark> attempts) {
		attempts.forEach(this::judge);
		return this.counts;
	}

	private void judge(Remark attempt) {
		String reason = REASONS.entrySet()
			.stream()
			.filter((known) -> known.getValue().matcher(attempt.text()).find())
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse("outage");
		this.counts.merge(reason, 1, Integer::sum);
		if (reason.equals("outage")) {
			this.findings.add(Breach.ATTEMPT, "spent by an outage: " + attempt.text());
		}
		else if (!explanations(reason).between(attempt.at(), attempt.at())) {
			this.findings.add(Breach.ATTEMPT, "spent while the broker was whole: " + attempt.text());
		}
	}

	private Troubles explanations(String reason) {
		return reason.equals("silence") ? this.networkTroubles : this.brokerTroubles;
	}

}
