/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Tests of code that publishes: annotations, assertions, and an outbox in memory.
 */
@NullMarked
package io.orderedoutbox.test;

import org.jspecify.annotations.NullMarked;
