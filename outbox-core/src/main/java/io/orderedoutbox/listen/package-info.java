/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Listeners in the same application, to which the relay hands messages as if they were a
 * broker.
 */
@NullMarked
package io.orderedoutbox.listen;

import org.jspecify.annotations.NullMarked;
