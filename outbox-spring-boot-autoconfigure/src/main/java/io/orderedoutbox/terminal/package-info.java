/**
 * A summary of the relay on the last lines of a terminal, for an operator who watches it
 * there.
 */
@NullMarked
package io.orderedoutbox.terminal;

import org.jspecify.annotations.NullMarked;
