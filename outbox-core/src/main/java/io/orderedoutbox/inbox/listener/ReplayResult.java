/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

/**
 * What a replay of dead letters has done.
 *
 * @param replayed how many were processed, or sent again
 * @param left how many were left in the queue of dead letters, because they have failed
 * again, or others of their key that are before them have
 */
public record ReplayResult(int replayed, int left) {

}
