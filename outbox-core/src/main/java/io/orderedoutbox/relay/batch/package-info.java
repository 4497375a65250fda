/**
 * One claimed batch on its way: sending, confirms, failures, and what becomes of each
 * message.
 */
@NullMarked
package io.orderedoutbox.relay.batch;

import org.jspecify.annotations.NullMarked;
