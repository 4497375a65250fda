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
	 * It claims nothing any more, and a worker still completes what it had claimed.
	 */
	PAUSING,

	/**
	 * It claims nothing, and no worker has a claim.
	 */
	PAUSED

}
