/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What is done to payloads between their serializer and their consumer: transformers, and
 * payloads that are stored elsewhere. Publishing, relay and the consuming side share it.
 */
@NullMarked
package io.orderedoutbox.payload;

import org.jspecify.annotations.NullMarked;
