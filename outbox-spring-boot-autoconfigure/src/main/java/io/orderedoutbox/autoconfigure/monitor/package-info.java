/**
 * Wiring and properties of what operators see.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.monitor;

import org.jspecify.annotations.NullMarked;
