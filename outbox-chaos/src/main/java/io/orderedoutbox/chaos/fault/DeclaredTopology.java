package io.orderedoutbox.chaos.fault;

/**
 * A {@link Topology} of the suite's own.
 */
public interface DeclaredTopology extends Topology, AutoCloseable {

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
