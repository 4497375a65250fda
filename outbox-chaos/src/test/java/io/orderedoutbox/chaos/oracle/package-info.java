/**
 * Tests of the oracle: it is fed with violations and must find each of them.
 */
package io.orderedoutbox.chaos.oracle;
