package io.orderedoutbox.servers;

/**
 * Where a server comes from.
 */
public enum ServerKind {

	/**
	 * A running server whose address the environment gives.
	 */
	ENVIRONMENT,

	/**
	 * A container that this JVM started.
	 */
	DOCKER,

	/**
	 * A server that this JVM unpacked and started: MariaDB as a process, Qpid in the JVM.
	 */
	EMBEDDED

}
