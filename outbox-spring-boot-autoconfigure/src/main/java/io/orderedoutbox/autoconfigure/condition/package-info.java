/**
 * Conditions: which parts of the library properties switch on and off.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.condition;

import org.jspecify.annotations.NullMarked;
