/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.List;

/**
 * Remembers everything that arrives, in the order of the broker.
 */
public interface Recording extends AutoCloseable {

	/**
	 * Return how many messages have arrived, those included that arrived again.
	 * @return the number of arrivals
	 */
	int count();

	/**
	 * Return what has arrived.
	 * @return the arrivals in their order
	 */
	List<Arrival> arrivals();

	/**
	 * End recording. What has arrived stays known.
	 */
	void stop();

	@Override
	default void close() {
		stop();
	}

}
