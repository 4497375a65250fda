/**
 * The shop: orders, and the events that tell of their changes.
 */
@NullMarked
package io.orderedoutbox.sample.order;

import org.jspecify.annotations.NullMarked;
