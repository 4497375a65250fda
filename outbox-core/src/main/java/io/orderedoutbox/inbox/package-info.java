/**
 * The consuming end: a message that arrives twice is processed once. Works with and
 * without an outbox in the same application.
 */
@NullMarked
package io.orderedoutbox.inbox;

import org.jspecify.annotations.NullMarked;
