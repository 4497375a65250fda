/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the relay asks of a sender: it hands over messages, and tells what became of each.
 */
@NullMarked
package io.orderedoutbox.send;

import org.jspecify.annotations.NullMarked;
