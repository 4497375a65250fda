/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How fast a consumer processes messages.
 */
@NullMarked
package io.orderedoutbox.benchmark.consume;

import org.jspecify.annotations.NullMarked;
