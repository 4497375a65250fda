/**
 * The applications that run in the processes.
 */
@NullMarked
package io.orderedoutbox.chaos.app;

import org.jspecify.annotations.NullMarked;
