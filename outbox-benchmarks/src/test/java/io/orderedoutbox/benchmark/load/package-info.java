/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Tests of what is sent.
 */
package io.orderedoutbox.benchmark.load;
