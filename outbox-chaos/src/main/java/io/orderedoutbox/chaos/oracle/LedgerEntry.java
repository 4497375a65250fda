/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.UUID;

/**
 * A message that was committed.
 *
 * @param id its position in the outbox
 * @param messageId its id
 * @param key its partition key, empty if it has none
 * @param transaction the number of the transaction that published it
 * @param commitBegan a moment before its commit, by {@link System#nanoTime}
 */
record LedgerEntry(long id, UUID messageId, String key, long transaction, long commitBegan) {

}
