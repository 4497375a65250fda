package io.orderedoutbox;

/**
 * Where a message is on its way.
 */
public enum MessageState {

	/**
	 * It has not failed, and waits for its turn behind others of its partition key.
	 */
	PENDING,

	/**
	 * A relay may take it now, or has it in its hands.
	 */
	DUE,

	/**
	 * It has failed and will be tried again.
	 */
	STALLED,

	/**
	 * It has failed and waits for an operator.
	 */
	BLOCKED,

	/**
	 * It is a dead letter: nobody sends it.
	 */
	DEAD,

	/**
	 * It was published, and is kept for a while.
	 */
	ARCHIVED

}
