/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.UUID;

/**
 * A message as it arrived, with what is needed to judge it.
 *
 * @param messageId its id
 * @param key the key in its body
 * @param version the version in its body
 * @param digest of body, destination, properties and headers
 * @param at when, by {@link System#nanoTime}
 * @param session the how-many-eth connection it came by
 * @param redelivered whether the broker says that it delivers it once more
 */
public record Arrival(UUID messageId, String key, long version, int digest, long at, int session, boolean redelivered) {

}
