/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Makes of a stored payload the one that is sent: undoes what the relay has to undo, and
 * loads what is stored elsewhere.
 */
@NullMarked
package io.orderedoutbox.relay.payload;

import org.jspecify.annotations.NullMarked;
