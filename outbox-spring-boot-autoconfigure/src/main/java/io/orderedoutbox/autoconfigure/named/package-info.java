/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Outboxes that have names: each is made by the auto-configuration of the outbox without
 * a name, in an application context of its own. No other package knows this one, so that
 * it can be deleted.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.named;

import org.jspecify.annotations.NullMarked;
