/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How the partition key of an event is found, read, and written as text.
 */
@NullMarked
package io.orderedoutbox.publish.key;

import org.jspecify.annotations.NullMarked;
