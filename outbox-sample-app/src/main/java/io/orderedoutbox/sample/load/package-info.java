/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Many changes at once, from many threads.
 */
@NullMarked
package io.orderedoutbox.sample.load;

import org.jspecify.annotations.NullMarked;
