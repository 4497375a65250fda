/**
 * Tests of the figures that scenarios come to.
 */
package io.orderedoutbox.chaos.scenario;
