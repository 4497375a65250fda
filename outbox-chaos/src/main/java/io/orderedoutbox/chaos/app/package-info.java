/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The applications that run in the processes.
 */
@NullMarked
package io.orderedoutbox.chaos.app;

import org.jspecify.annotations.NullMarked;
