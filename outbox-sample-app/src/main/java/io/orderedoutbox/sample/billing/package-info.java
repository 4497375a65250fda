/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A second consumer, with queues of shards: it writes an invoice for each order, and
 * processes each message once. Its handler can be made to fail.
 */
@NullMarked
package io.orderedoutbox.sample.billing;

import org.jspecify.annotations.NullMarked;
