/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Tests of figures and rounds.
 */
package io.orderedoutbox.benchmark.figure;
