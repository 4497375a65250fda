package io.orderedoutbox.relay;

/**
 * What the relay of an instance is doing.
 */
public enum RelayState {

	/**
	 * It is not started, or was stopped with the application.
	 */
	STOPPED,

	/**
	 * It claims messages and sends them.
	 */
	RUNNING,

	/**
	 * It claims nothing any more, and a worker still completes what it had in its hands.
	 */
	PAUSING,

	/**
	 * It claims nothing, and has nothing in its hands.
	 */
	PAUSED

}
