/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.util.Map;

/**
 * A {@link Topology} of the suite's own.
 */
public interface DeclaredTopology extends Topology, AutoCloseable {

	/**
	 * Return what all applications are told so that their messages come here.
	 * @return properties, besides those for exchanges
	 */
	default Map<String, String> properties() {
		return Map.of();
	}

	/**
	 * Return how many messages are in the queues that nobody has fetched.
	 * @return their number
	 */
	int depth();

	/**
	 * Delete queues and exchanges.
	 */
	@Override
	void close();

}
