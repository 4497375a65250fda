/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.util.List;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Knows the instances of the application. An application that knows other instances than
 * this one can declare a bean of this type to replace the default.
 */
@FunctionalInterface
public interface Instances {

	/**
	 * List the instances, the one that answers first.
	 * @return the instances
	 */
	List<InstanceDescriptor> list();

	/**
	 * Return how much all of them together have published in each of the last sixty
	 * minutes.
	 * @return sixty numbers, the current minute last, or {@code null} if they are not
	 * known
	 */
	default @Nullable List<Long> publishedPerMinute() {
		return null;
	}

	/**
	 * Return whether an operator has paused the relays of all instances.
	 * @return whether they are paused, or will be when they next ask
	 */
	default boolean isPaused() {
		return false;
	}

	/**
	 * Pause the relays of all instances, or let them go on.
	 * @param paused whether they are to be paused
	 * @throws OutboxConfigurationException if other instances cannot be told
	 */
	default void pause(boolean paused) {
		throw new OutboxConfigurationException("This instance cannot pause others, nor be paused by them.",
				"Pause each instance, or set outbox.monitor.heartbeat-interval to more than 0s on all of them.");
	}

}
