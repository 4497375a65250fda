/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The violations that were found: how many of each kind, and the first of them in words.
 */
public final class Findings {

	private static final int ENOUGH = 10;

	private final Map<Breach, Integer> counts = new EnumMap<>(Breach.class);

	private final List<String> examples = new ArrayList<>();

	/**
	 * Add a violation.
	 * @param breach its kind
	 * @param text what happened
	 */
	public void add(Breach breach, String text) {
		if (this.counts.merge(breach, 1, Integer::sum) <= ENOUGH) {
			this.examples.add(breach + ": " + text);
		}
	}

	/**
	 * Return how many violations there are.
	 * @param breach their kind
	 * @return the number
	 */
	public int count(Breach breach) {
		return this.counts.getOrDefault(breach, 0);
	}

	/**
	 * Return whether nothing was violated.
	 * @return {@code true} if there is no violation
	 */
	public boolean isClean() {
		return this.counts.isEmpty();
	}

	/**
	 * Return violations in words.
	 * @return some of each kind
	 */
	public List<String> examples() {
		return List.copyOf(this.examples);
	}

}
