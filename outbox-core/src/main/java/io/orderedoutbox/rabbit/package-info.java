/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * RabbitMQ: sending under publisher confirms, and where messages go.
 */
@NullMarked
package io.orderedoutbox.rabbit;

import org.jspecify.annotations.NullMarked;
