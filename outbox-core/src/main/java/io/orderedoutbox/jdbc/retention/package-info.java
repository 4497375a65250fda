/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The removal of rows that have been kept for long enough.
 */
@NullMarked
package io.orderedoutbox.jdbc.retention;

import org.jspecify.annotations.NullMarked;
