/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Wiring and properties of what operators see.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.monitor;

import org.jspecify.annotations.NullMarked;
