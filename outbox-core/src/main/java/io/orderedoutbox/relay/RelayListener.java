package io.orderedoutbox.relay;

/**
 * Is told what a relay does. Declare beans of this type to hear it.
 * <p>
 * It is called on the threads of the workers, once for each batch and not for each
 * message: whatever it does, the relay waits for it, so that it must neither block nor
 * ask the database. What it throws is logged and changes nothing.
 */
public interface RelayListener {

	/**
	 * A batch has ended, well or not.
	 * @param batch what came of it
	 */
	default void batchEnded(RelayBatch batch) {
	}

	/**
	 * A worker has looked for messages and found nothing to claim.
	 */
	default void nothingFound() {
	}

	/**
	 * An idle worker was woken by a commit, before it would have looked by itself.
	 */
	default void woken() {
	}

}
