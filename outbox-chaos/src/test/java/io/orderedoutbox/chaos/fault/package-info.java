/**
 * Tests of the faults and what they say of themselves.
 */
package io.orderedoutbox.chaos.fault;
