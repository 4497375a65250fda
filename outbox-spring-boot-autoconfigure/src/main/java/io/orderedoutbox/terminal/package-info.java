/**
 * A summary of the relay on the last lines of a terminal, for somebody who watches it
 * there.
 */
@NullMarked
package io.orderedoutbox.terminal;

import org.jspecify.annotations.NullMarked;
