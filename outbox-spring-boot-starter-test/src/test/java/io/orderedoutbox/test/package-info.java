/**
 * The test starter, used as an application would use it.
 */
@NullMarked
package io.orderedoutbox.test;

import org.jspecify.annotations.NullMarked;
