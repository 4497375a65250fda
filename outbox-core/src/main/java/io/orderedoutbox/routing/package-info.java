/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Several senders in one outbox: which message goes through which of them.
 */
@NullMarked
package io.orderedoutbox.routing;

import org.jspecify.annotations.NullMarked;
