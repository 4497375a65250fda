/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * One claimed batch on its way: sending, confirms, failures, and what becomes of each
 * message.
 */
@NullMarked
package io.orderedoutbox.relay.batch;

import org.jspecify.annotations.NullMarked;
