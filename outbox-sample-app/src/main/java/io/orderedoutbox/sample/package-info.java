/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A small shop that publishes its events through the outbox and shows what arrived.
 */
@NullMarked
package io.orderedoutbox.sample;

import org.jspecify.annotations.NullMarked;
