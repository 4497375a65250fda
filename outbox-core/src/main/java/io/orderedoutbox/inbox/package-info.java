/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The consuming end: a message that arrives twice is processed once. Works with and
 * without an outbox in the same application.
 */
@NullMarked
package io.orderedoutbox.inbox;

import org.jspecify.annotations.NullMarked;
