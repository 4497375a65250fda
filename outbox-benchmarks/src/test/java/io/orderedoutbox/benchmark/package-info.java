/**
 * Tests of the benchmarks themselves.
 */
package io.orderedoutbox.benchmark;
