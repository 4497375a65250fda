/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.util.UUID;

/**
 * The id of a message, given at the call instead of a generated one, for example when a
 * message is replayed.
 * <p>
 * The outbox does not check that an id is used once: consumers that deduplicate by
 * message id will drop the second message.
 *
 * @param id the message id
 */
public record MessageIdStamp(UUID id) implements Stamp {

	/**
	 * Create a stamp.
	 * @throws IllegalArgumentException if the id is null
	 */
	public MessageIdStamp {
		Require.that(id != null, "'id' must not be null");
	}

	/**
	 * Return a stamp for the given id.
	 * @param id the message id
	 * @return the stamp
	 */
	public static MessageIdStamp of(UUID id) {
		return new MessageIdStamp(id);
	}

}
