/**
 * Several senders in one outbox: which message goes through which of them.
 */
@NullMarked
package io.orderedoutbox.routing;

import org.jspecify.annotations.NullMarked;
