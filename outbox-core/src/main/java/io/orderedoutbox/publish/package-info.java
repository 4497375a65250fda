/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * From the published event to the commit: bridge, aspect, and the buffer of a
 * transaction.
 */
@NullMarked
package io.orderedoutbox.publish;

import org.jspecify.annotations.NullMarked;
