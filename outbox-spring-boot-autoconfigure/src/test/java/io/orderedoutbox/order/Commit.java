/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.util.List;

/**
 * A transaction that was committed.
 *
 * @param messageIds what it published, in order
 * @param ended a moment, by {@link System#nanoTime}, after the commit
 */
record Commit(List<String> messageIds, long ended) {

}
