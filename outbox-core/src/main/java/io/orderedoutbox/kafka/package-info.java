/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Kafka: sending with an idempotent producer, and where messages go.
 */
@NullMarked
package io.orderedoutbox.kafka;

import org.jspecify.annotations.NullMarked;
