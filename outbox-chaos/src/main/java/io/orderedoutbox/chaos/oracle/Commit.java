/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

/**
 * A transaction that a writer knows to be committed.
 *
 * @param transaction its number
 * @param ended a moment after its commit, by {@link System#nanoTime}
 * @param messages how many messages it published
 */
record Commit(long transaction, long ended, int messages) {

}
