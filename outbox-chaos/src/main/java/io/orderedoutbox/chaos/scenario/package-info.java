/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Single events, timed.
 */
@NullMarked
package io.orderedoutbox.chaos.scenario;

import org.jspecify.annotations.NullMarked;
