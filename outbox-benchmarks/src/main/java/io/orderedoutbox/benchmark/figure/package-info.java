/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Figures, what they must be, and the rounds of which they are the medians.
 */
@NullMarked
package io.orderedoutbox.benchmark.figure;

import org.jspecify.annotations.NullMarked;
