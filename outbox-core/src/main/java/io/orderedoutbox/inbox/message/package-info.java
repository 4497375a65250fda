/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What a message says: its type, its id and its key, from its AMQP properties or as a
 * CloudEvent, and the object that a listener gets for it.
 */
@NullMarked
package io.orderedoutbox.inbox.message;

import org.jspecify.annotations.NullMarked;
