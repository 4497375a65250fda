/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Wiring and properties of the relay and of the senders.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.relay;

import org.jspecify.annotations.NullMarked;
