/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Wiring and properties of the consuming side.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.inbox;

import org.jspecify.annotations.NullMarked;
