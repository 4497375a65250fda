/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Queues of the benchmarks, what has to arrive there, and how fast a broker takes
 * messages without an outbox.
 */
@NullMarked
package io.orderedoutbox.benchmark.broker;

import org.jspecify.annotations.NullMarked;
