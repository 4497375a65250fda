/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What operators see of the tables of the outbox, and what they can do to them.
 */
@NullMarked
package io.orderedoutbox.jdbc.admin;

import org.jspecify.annotations.NullMarked;
