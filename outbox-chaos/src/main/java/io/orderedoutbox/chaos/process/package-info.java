/**
 * Relays and writers as processes that can be killed, frozen and cut off.
 */
@NullMarked
package io.orderedoutbox.chaos.process;

import org.jspecify.annotations.NullMarked;
