/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Transactions at a given rate: how long they take, and how long their messages take.
 */
@NullMarked
package io.orderedoutbox.benchmark.latency;

import org.jspecify.annotations.NullMarked;
