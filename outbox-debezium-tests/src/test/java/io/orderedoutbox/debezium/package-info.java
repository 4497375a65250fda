/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Debezium on the tables of the outbox, in place of a relay.
 */
@NullMarked
package io.orderedoutbox.debezium;

import org.jspecify.annotations.NullMarked;
