/**
 * Tests of the suite itself.
 */
package io.orderedoutbox.chaos;
