/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What databases say in different ways: their statements, their settings, their errors.
 */
@NullMarked
package io.orderedoutbox.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
