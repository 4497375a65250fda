/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A summary of the relay on the last lines of a terminal, for an operator who watches it
 * there.
 */
@NullMarked
package io.orderedoutbox.terminal;

import org.jspecify.annotations.NullMarked;
