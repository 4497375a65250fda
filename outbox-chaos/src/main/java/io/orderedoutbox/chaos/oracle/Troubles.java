/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.orderedoutbox.chaos.fault.FaultRecord;
import io.orderedoutbox.chaos.fault.Part;

/**
 * The times in which something was broken, or had been a moment ago.
 */
final class Troubles {

	private final TreeMap<Long, Long> endsByBegin = new TreeMap<>();

	Troubles(Collection<FaultRecord> faults, Duration aftermath) {
		List<FaultRecord> ordered = faults.stream().sorted(Comparator.comparingLong(FaultRecord::began)).toList();
		for (FaultRecord fault : ordered) {
			long end = fault.ended() + aftermath.toNanos();
			Map.Entry<Long, Long> last = this.endsByBegin.lastEntry();
			if (last != null && fault.began() <= last.getValue()) {
				last = Map.entry(last.getKey(), Math.max(last.getValue(), end));
				this.endsByBegin.put(last.getKey(), last.getValue());
			}
			else {
				this.endsByBegin.put(fault.began(), end);
			}
		}
	}

	/**
	 * The times in which one of these parts was broken.
	 */
	static Troubles of(Collection<FaultRecord> faults, Duration aftermath, Part... parts) {
		Set<Part> relevant = Set.of(parts);
		return new Troubles(faults.stream().filter((fault) -> !Collections.disjoint(fault.broke(), relevant)).toList(),
				aftermath);
	}

	/**
	 * Whether something was broken at some moment of the time between.
	 */
	boolean between(long from, long to) {
		Map.Entry<Long, Long> before = this.endsByBegin.floorEntry(to);
		return before != null && before.getValue() >= from;
	}

}
