/**
 * A module: stock.
 */
@NullMarked
package io.orderedoutbox.test.modules.stock;

import org.jspecify.annotations.NullMarked;
