/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What was committed, what arrived, and whether the order was kept.
 */
@NullMarked
package io.orderedoutbox.sample.timeline;

import org.jspecify.annotations.NullMarked;
