/**
 * What was committed, what arrived, and whether the two agree.
 */
@NullMarked
package io.orderedoutbox.chaos.oracle;

import org.jspecify.annotations.NullMarked;
