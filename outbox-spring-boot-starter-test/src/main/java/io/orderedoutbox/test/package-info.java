/**
 * Tests of code that publishes: annotations, assertions, and an outbox in memory.
 */
@NullMarked
package io.orderedoutbox.test;

import org.jspecify.annotations.NullMarked;
