/**
 * What operators see. Nobody depends on it: it can be deleted.
 */
@NullMarked
package io.orderedoutbox.monitor;

import org.jspecify.annotations.NullMarked;
