/**
 * Makes of a stored payload the one that is sent: undoes what the relay has to undo, and
 * loads what is stored elsewhere.
 */
@NullMarked
package io.orderedoutbox.relay.payload;

import org.jspecify.annotations.NullMarked;
