/**
 * A module: order.
 */
@NullMarked
package io.orderedoutbox.test.modules.order;

import org.jspecify.annotations.NullMarked;
