package io.orderedoutbox.monitor;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Knows the instances of the application. Whoever knows others than this one can take its
 * place.
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
	 * @return sixty numbers, the current minute last, or {@code null} if nobody knows
	 */
	default @Nullable List<Long> publishedPerMinute() {
		return null;
	}

}
