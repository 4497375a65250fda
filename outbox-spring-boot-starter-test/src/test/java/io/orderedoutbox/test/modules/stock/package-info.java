/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A module: stock.
 */
@NullMarked
package io.orderedoutbox.test.modules.stock;

import org.jspecify.annotations.NullMarked;
