/**
 * What was committed, what arrived, and whether the order was kept.
 */
@NullMarked
package io.orderedoutbox.sample.timeline;

import org.jspecify.annotations.NullMarked;
