/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How much waits in the tables, and for how long.
 */
@NullMarked
package io.orderedoutbox.jdbc.backlog;

import org.jspecify.annotations.NullMarked;
