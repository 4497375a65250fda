/**
 * Listeners in the same application, to which the relay hands messages as if they were a
 * broker.
 */
@NullMarked
package io.orderedoutbox.listen;

import org.jspecify.annotations.NullMarked;
