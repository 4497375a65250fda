/**
 * A small shop that publishes its events through the outbox and shows what arrived.
 */
@NullMarked
package io.orderedoutbox.sample;

import org.jspecify.annotations.NullMarked;
