/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The shop: orders, and the events that tell of their changes.
 */
@NullMarked
package io.orderedoutbox.sample.order;

import org.jspecify.annotations.NullMarked;
