/**
 * A small application that publishes, for the tests.
 */
@NullMarked
package io.orderedoutbox.test.shop;

import org.jspecify.annotations.NullMarked;
