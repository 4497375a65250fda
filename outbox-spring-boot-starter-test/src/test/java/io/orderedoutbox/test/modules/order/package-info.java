/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A module: order.
 */
@NullMarked
package io.orderedoutbox.test.modules.order;

import org.jspecify.annotations.NullMarked;
