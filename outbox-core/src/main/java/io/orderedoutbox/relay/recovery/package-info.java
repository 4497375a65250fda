/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Finds a message that ends the process which sends it. Needed only after a process has
 * ended without a farewell; deleted with its package.
 */
@NullMarked
package io.orderedoutbox.relay.recovery;

import org.jspecify.annotations.NullMarked;
