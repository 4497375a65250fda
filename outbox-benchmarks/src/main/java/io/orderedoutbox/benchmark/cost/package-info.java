/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What a message costs: round trips, memory, and processor time.
 */
@NullMarked
package io.orderedoutbox.benchmark.cost;

import org.jspecify.annotations.NullMarked;
