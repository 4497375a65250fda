/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What publishing costs a transaction.
 */
@NullMarked
package io.orderedoutbox.benchmark.publish;

import org.jspecify.annotations.NullMarked;
