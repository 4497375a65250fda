/**
 * Publishing and relaying as observations: spans, timers, and the trace that goes on
 * through the table.
 */
@NullMarked
package io.orderedoutbox.observation;

import org.jspecify.annotations.NullMarked;
