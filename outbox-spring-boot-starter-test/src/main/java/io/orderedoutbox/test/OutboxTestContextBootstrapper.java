package io.orderedoutbox.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/**
 * Finds the application of an {@link OutboxTest}.
 */
final class OutboxTestContextBootstrapper extends TestSliceTestContextBootstrapper<OutboxTest> {

}
