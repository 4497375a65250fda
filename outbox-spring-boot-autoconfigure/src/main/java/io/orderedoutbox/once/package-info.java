/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The relay as a command: it drains what is due, says what it did, and ends the process
 * with an exit code.
 */
@NullMarked
package io.orderedoutbox.once;

import org.jspecify.annotations.NullMarked;
