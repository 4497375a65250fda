/**
 * Wiring and properties of the consuming side.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.inbox;

import org.jspecify.annotations.NullMarked;
