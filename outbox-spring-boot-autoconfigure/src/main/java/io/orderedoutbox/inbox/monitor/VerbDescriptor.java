/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import org.jspecify.annotations.Nullable;

/**
 * What a verb has done with dead letters.
 *
 * @param affected how many were replayed, or discarded
 * @param left of a replay: how many were left, because they have failed again, or others
 * of their key that are before them have, or are not in the queue; {@code null} if that
 * is not known
 */
public record VerbDescriptor(int affected, @Nullable Integer left) {

}
