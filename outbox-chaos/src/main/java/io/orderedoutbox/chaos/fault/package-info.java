/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What can go wrong, and with what.
 */
@NullMarked
package io.orderedoutbox.chaos.fault;

import org.jspecify.annotations.NullMarked;
