/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/**
 * Finds the application of an {@link OutboxTest}.
 */
final class OutboxTestContextBootstrapper extends TestSliceTestContextBootstrapper<OutboxTest> {

}
