package io.orderedoutbox.monitor;

import java.util.List;

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

}
