/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.util.Set;

/**
 * Hands out messages to relay. Declare a bean of this type to replace the default,
 * {@link io.orderedoutbox.jdbc.claim.JdbcRelayStore}.
 */
@FunctionalInterface
public interface RelayStore {

	/**
	 * Return the claims of one worker. One thread at a time uses them.
	 * @return new claims, without a connection until the first use
	 */
	Claims claims();

	/**
	 * Hear that a transaction of this instance has committed messages, or that an
	 * operator has made messages due. A store that ignores this finds the messages when
	 * it next looks by itself.
	 * @param partitions where the messages are; nothing if that is not known
	 */
	default void committed(Set<Integer> partitions) {
	}

	/**
	 * Hear that anything may have happened to the messages: the relay starts, or an
	 * operator who had paused it resumes it. A store that remembers something of the
	 * messages looks at them anew.
	 */
	default void refresh() {
	}

}
