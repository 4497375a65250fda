/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What instances ask of the database when there is nothing to do.
 */
@NullMarked
package io.orderedoutbox.benchmark.idle;

import org.jspecify.annotations.NullMarked;
