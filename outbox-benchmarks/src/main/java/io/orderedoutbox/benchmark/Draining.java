package io.orderedoutbox.benchmark;

import java.util.List;

/**
 * A backlog that is there, and is drained by instances whose relays do not run yet.
 *
 * @param backlog what is drained
 * @param remaining how many messages are left at the end, because they cannot be sent
 */
record Draining(Backlog backlog, long remaining) {

	/**
	 * Drain it, and check what has arrived.
	 * @return messages a second
	 */
	double by(List<Instance> instances) throws InterruptedException {
		long start = System.nanoTime();
		instances.forEach((instance) -> instance.relay().start());
		this.backlog.queue().await(this.backlog.messages());
		double seconds = (System.nanoTime() - start) / 1e9;
		instances.forEach((instance) -> instance.relay().stop());
		long left = instances.get(0).depth();
		if (left != this.remaining) {
			throw new IllegalStateException("There are %d messages left, not %d".formatted(left, this.remaining));
		}
		this.backlog.queue().verify(this.backlog.messages(), this.backlog.keys());
		return this.backlog.messages() / seconds;
	}

}
