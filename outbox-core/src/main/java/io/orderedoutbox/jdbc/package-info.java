/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The database of the outbox: its tables, its sessions, and the writing of messages.
 */
@NullMarked
package io.orderedoutbox.jdbc;

import org.jspecify.annotations.NullMarked;
