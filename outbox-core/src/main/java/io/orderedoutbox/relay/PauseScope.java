package io.orderedoutbox.relay;

/**
 * Whose relay an operator has paused. Each is resumed by itself: a relay goes on when
 * neither is paused.
 */
public enum PauseScope {

	/**
	 * That of one instance.
	 */
	INSTANCE,

	/**
	 * Those of all instances.
	 */
	ALL

}
