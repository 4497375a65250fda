/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

/**
 * A message in the order of its key.
 *
 * @param entry the message
 * @param index how many messages of its key were committed before it
 */
record Position(LedgerEntry entry, int index) {

}
