/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * From the claim to the confirm: workers that take messages from the store to the broker,
 * each partition key in order. Knows neither SQL nor AMQP.
 */
@NullMarked
package io.orderedoutbox.relay;

import org.jspecify.annotations.NullMarked;
