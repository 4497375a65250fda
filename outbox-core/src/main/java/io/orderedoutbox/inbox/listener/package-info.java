/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Listeners of shards: each key in order, many keys side by side, retries, dead letters
 * and their replay, and the balance between instances.
 */
@NullMarked
package io.orderedoutbox.inbox.listener;

import org.jspecify.annotations.NullMarked;
