/**
 * Single events, timed.
 */
@NullMarked
package io.orderedoutbox.chaos.scenario;

import org.jspecify.annotations.NullMarked;
