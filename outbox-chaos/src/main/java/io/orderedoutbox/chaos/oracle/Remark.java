/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

/**
 * What a process wrote down.
 *
 * @param at when, by {@link System#nanoTime}
 * @param text what
 */
record Remark(long at, String text) {

}
