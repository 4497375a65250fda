/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

/**
 * What is right in a run.
 *
 * @param ordered whether messages of a key arrive in the order of their commits
 * @param longestRun how many messages of a key a relay takes at a time
 * @param workers number of workers of a relay
 */
public record Rules(boolean ordered, int longestRun, int workers) {

}
