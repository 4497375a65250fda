/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Relays and writers as processes that can be killed, frozen and cut off.
 */
@NullMarked
package io.orderedoutbox.chaos.process;

import org.jspecify.annotations.NullMarked;
