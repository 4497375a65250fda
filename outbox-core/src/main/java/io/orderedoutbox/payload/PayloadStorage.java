/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import org.jspecify.annotations.Nullable;

/**
 * Where {@link ClaimCheckTransformer} puts payloads that are too large for the outbox or
 * the broker: an object store, a directory, a table. Several threads use it at the same
 * time.
 * <p>
 * It should remove by itself what is older than the longest time for which a message can
 * be delivered or replayed: nothing else removes it when its message was delivered,
 * because it may be delivered again.
 */
public interface PayloadStorage {

	/**
	 * Store a payload. It is durable when the method returns. This does not belong to the
	 * transaction of the caller.
	 * @param key the key: letters, digits and dashes, never used before
	 * @param payload the payload, not to be modified
	 */
	void put(String key, byte[] payload);

	/**
	 * Return what was stored.
	 * @param key the key
	 * @return the payload, or {@code null} if there is none under this key: an exception
	 * would let the message wait for it for ever
	 * @throws PayloadUnavailableException if the storage does not answer. The transformer
	 * takes any other exception for that, too
	 */
	byte @Nullable [] get(String key);

	/**
	 * Remove what was stored. It is no error if nothing is there.
	 * @param key the key
	 */
	void delete(String key);

}
