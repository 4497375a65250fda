/**
 * Waiting, with a bound.
 */
@NullMarked
package io.orderedoutbox.chaos.time;

import org.jspecify.annotations.NullMarked;
