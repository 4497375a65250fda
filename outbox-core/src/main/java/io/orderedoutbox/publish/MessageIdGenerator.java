/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.UUID;

/**
 * Makes the ids of messages that were published without a
 * {@link io.orderedoutbox.MessageIdStamp}. Declare a bean of this type to replace the
 * default, which makes UUIDs of version 7: their order is that of their creation, on one
 * instance.
 */
@FunctionalInterface
public interface MessageIdGenerator {

	/**
	 * Return a new id. Called by many threads.
	 * @return an id that was never returned before
	 */
	UUID next();

}
