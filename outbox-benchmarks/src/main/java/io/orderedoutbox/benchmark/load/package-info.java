/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What is sent, at which times, and by how many threads.
 */
@NullMarked
package io.orderedoutbox.benchmark.load;

import org.jspecify.annotations.NullMarked;
