/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.orderedoutbox.chaos.fault.FaultRecord;
import io.orderedoutbox.chaos.oracle.Findings;
import io.orderedoutbox.chaos.oracle.Measured;

/**
 * What a run has shown.
 *
 * @param settings what the run was like
 * @param measured what was measured
 * @param findings what was violated
 * @param faults what went wrong
 * @param duration how long the run took
 */
record ChaosReport(ChaosSettings settings, Measured measured, Findings findings, List<FaultRecord> faults,
		Duration duration) {

	boolean isClean() {
		return this.findings.isClean();
	}

	/**
	 * How often each kind of fault happened.
	 */
	Map<String, Integer> faultsByKind() {
		Map<String, Integer> kinds = new TreeMap<>();
		this.faults.forEach((fault) -> kinds.merge(fault.kind(), 1, Integer::sum));
		return kinds;
	}

	/**
	 * The figures by what they are called in tables.
	 */
	Map<String, Object> figures() {
		Map<String, Object> named = new LinkedHashMap<>();
		named.put("faults", this.faults.size());
		named.putAll(this.measured.named(this.findings));
		named.put("duration (s)", this.duration.toSeconds());
		return named;
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(
				"chaos: %s: %s%n".formatted(this.settings, isClean() ? "clean" : "NOT CLEAN"));
		figures().forEach((name, value) -> text.append("  %-58s %s%n".formatted(name, value)));
		faultsByKind().forEach((kind, count) -> text.append("  %5d x %s%n".formatted(count, kind)));
		this.findings.examples().forEach((example) -> text.append("  ").append(example).append('\n'));
		return text.toString();
	}

}
