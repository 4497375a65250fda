/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
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
