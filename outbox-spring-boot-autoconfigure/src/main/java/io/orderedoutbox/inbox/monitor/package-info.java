/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What operators see of the inbox and of the queues of shards: metrics, health, and the
 * endpoint. Nothing depends on it.
 */
@NullMarked
package io.orderedoutbox.inbox.monitor;

import org.jspecify.annotations.NullMarked;
