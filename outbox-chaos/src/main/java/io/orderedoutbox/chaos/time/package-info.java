/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Waiting, with a bound.
 */
@NullMarked
package io.orderedoutbox.chaos.time;

import org.jspecify.annotations.NullMarked;
