/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.UUID;

/**
 * What the handler of a consumer has done, and committed.
 *
 * @param consumer the life of the consumer
 * @param messageId the id of the message
 * @param key its partition key, empty if it has none
 * @param version the version in its body
 * @param number the how-many-eth effect of the key it is, in the order of their commits;
 * zero without a key
 * @param seen how many effects of the key were committed when the handler began
 * @param redelivered whether the broker said that it delivers the message once more
 * @param at a moment before its commit, by {@link System#nanoTime}
 */
record Effect(String consumer, UUID messageId, String key, long version, long number, long seen, boolean redelivered,
		long at) {

}
