/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Connections of the outbox, the sessions on them, and how long a statement may take.
 */
@NullMarked
package io.orderedoutbox.jdbc.connection;

import org.jspecify.annotations.NullMarked;
