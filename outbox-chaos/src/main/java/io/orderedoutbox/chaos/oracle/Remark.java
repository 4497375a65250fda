package io.orderedoutbox.chaos.oracle;

/**
 * What a process wrote down.
 *
 * @param at when, by {@link System#nanoTime}
 * @param text what
 */
record Remark(long at, String text) {

}
