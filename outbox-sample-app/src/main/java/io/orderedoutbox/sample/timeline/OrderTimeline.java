/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

import java.util.List;

/**
 * What happened to the events of one order.
 *
 * @param committed the events that were committed, in the order of their commits
 * @param arrived the deliveries, in the order of their arrival, duplicates included
 */
public record OrderTimeline(List<CommittedEvent> committed, List<ArrivedEvent> arrived) {

	/**
	 * Return whether everything that has arrived so far arrived in order.
	 * @return {@code true} if there is no violation
	 */
	public boolean inOrder() {
		return this.arrived.stream().noneMatch((event) -> event.verdict().isViolation());
	}

	/**
	 * Return whether everything that was committed has arrived.
	 * @return {@code true} if nothing is on its way
	 */
	public boolean complete() {
		return this.arrived.stream().map(ArrivedEvent::version).distinct().count() >= this.committed.size();
	}

}
