/**
 * Wiring and properties of the relay and of the senders.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.relay;

import org.jspecify.annotations.NullMarked;
