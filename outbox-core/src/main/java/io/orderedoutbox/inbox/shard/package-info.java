/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The queues of the shards: their names, their declaration, and what the broker says
 * about them. Listening to them is {@code io.orderedoutbox.inbox.listener}.
 */
@NullMarked
package io.orderedoutbox.inbox.shard;

import org.jspecify.annotations.NullMarked;
