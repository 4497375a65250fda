/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How a relay claims messages: partitions, cursors, claims and parked keys. The order of
 * messages rests on this package and on {@link io.orderedoutbox.jdbc.JdbcOutboxStore}.
 */
@NullMarked
package io.orderedoutbox.jdbc.claim;

import org.jspecify.annotations.NullMarked;
