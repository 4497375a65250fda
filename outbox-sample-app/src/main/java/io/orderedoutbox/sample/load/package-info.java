/**
 * Many changes at once, from many threads.
 */
@NullMarked
package io.orderedoutbox.sample.load;

import org.jspecify.annotations.NullMarked;
