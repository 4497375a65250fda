/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Publishing and relaying as observations: spans, timers, and the trace that goes on
 * through the table.
 */
@NullMarked
package io.orderedoutbox.observation;

import org.jspecify.annotations.NullMarked;
