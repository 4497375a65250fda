/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Database and broker, and what can be done to them.
 */
@NullMarked
package io.orderedoutbox.chaos.server;

import org.jspecify.annotations.NullMarked;
